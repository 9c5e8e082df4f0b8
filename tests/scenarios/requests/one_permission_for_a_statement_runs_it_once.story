# One permission for a statement runs it once
The same text again is another run of it. Nothing is learnt from the first yes, whatever the
statement is.
proves: G-1, G-2, K-2

given claude works on shop: ask
claude requests shop
    insert into main.orders (total) values (1)
dana allows r1
shop is ready to send
shop answers 0 rows
claude requests shop
    insert into main.orders (total) values (1)
expect started: nothing
expect r2 is pending
expect count of grants: 0
