# A second answer for the same work is nobodys
The first answer ended it. A driver that answers again, also with another result or a claim that it
took effect, changes nothing.
proves: T-3, R-4

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
shop fails: execution_failed
shop answers 0 rows for t1
expect refused: late answer
shop loses the connection for t1
expect refused: late answer
claude looks at r1
expect seen: failed: execution_failed
