# A statement is sent once
A driver that asks again, by mistake or after a reconnect, is not told to send a second time.
proves: W-1

given claude works on shop: read_write
claude requests shop
    insert into main.orders (total) values (1)
shop is ready to send
expect effect: let t1 send its statement
shop is ready to send
expect refused: late answer
expect no effect
shop answers 0 rows
shop is ready to send for t1
expect refused: late answer
claude looks at r1
expect seen: completed, 0 rows
