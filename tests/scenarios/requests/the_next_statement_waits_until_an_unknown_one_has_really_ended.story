# The next statement waits until an unknown one has really ended
The session has one slot, and the statement that nobody waits for any more still holds it. Two
writes of one agent never overlap.
proves: T-1, T-3

given claude works on shop: read_write
claude requests shop
    insert into main.orders (total) values (1)
shop is ready to send
claude cancels r1
claude requests shop
    insert into main.orders (total) values (2)
expect started: nothing
clock 5s
shop answers 0 rows
expect started: r2
shop is ready to send
shop answers 0 rows
claude looks at r2
expect seen: completed, 0 rows
