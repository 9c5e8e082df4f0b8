# Room for new requests does not forget an unknown outcome
Sixty-four requests are kept. The one with the unknown outcome has no data and goes first, but what
it was stays said and its key stays used.
proves: K-1, R-5, R-4

given claude works on shop: read_write
claude requests shop, with key w1
    insert into main.orders (total) values (1)
shop is ready to send
shop loses the connection
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
expect count of requests: 64
expect count of tombstones: 1
claude looks at r1
expect seen: outcome_unknown
claude requests shop, with key w1
    insert into main.orders (total) values (1)
expect answer: r1 again
expect started: nothing
