# A database that stops a write by itself leaves an unknown outcome
Nobody told it to stop. Before the statement was sent that is a plain end; afterwards it says
nothing about what took effect.
proves: W-2

given claude works on shop: read_write
claude requests shop
    delete from main.orders
shop stops as told
expect r1 is cancelled
claude requests shop
    delete from main.orders
shop is ready to send
shop stops as told
expect r2 is outcome_unknown
claude requests shop
    delete from main.orders
shop is ready to send
shop runs out of time
expect r3 is outcome_unknown
claude requests shop
    delete from main.orders
shop runs out of time
expect r4 is expired
claude looks at r4
expect seen: expired: took too long
