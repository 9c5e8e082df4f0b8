# A read is never told to send
The go-ahead belongs to statements that may write. A driver that asks for one in the middle of a
read gets none, and the read goes on.
proves: W-1

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop is ready to send
expect refused: late answer
expect no effect
shop answers 2 rows
claude looks at r1
expect seen: completed, 2 rows
