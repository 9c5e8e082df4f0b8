# The same key after an unknown outcome never runs again
An agent that lost the answer asks again. It finds its request with the unknown outcome, now and
after the five minutes, and the write is not repeated.
proves: K-1, K-2

given claude works on shop: read_write
claude requests shop, with key k1
    insert into main.orders (total) values (1)
shop is ready to send
shop loses the connection
claude requests shop, with key k1
    insert into main.orders (total) values (1)
expect answer: r1 again
expect started: nothing
clock 6m
claude requests shop, with key k1
    insert into main.orders (total) values (1)
expect answer: r1 again
expect started: nothing
claude looks at r1
expect seen: outcome_unknown
