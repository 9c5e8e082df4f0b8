# Standing access to read and write runs any statement without a question
The person set it beforehand for this database. What runs are the agent's own words, also if the
statement is a plain write of one table: nothing narrower was shared.
proves: G-2, W-1

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
expect effect: run t1 for r1 at shop: run `delete from main.orders where id = 1` within 30s
shop is ready to send
shop answers 0 rows
claude requests shop, as a write of main.orders
    delete from main.orders where id = 2
expect effect: run t2 for r2 at shop: run `delete from main.orders where id = 2` within 30s
shop is ready to send
shop answers 0 rows
claude queries shop
    SELECT id FROM main.orders
expect started: r3
shop answers 2 rows
