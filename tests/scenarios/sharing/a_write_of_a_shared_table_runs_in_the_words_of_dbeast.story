# A write of a shared table runs in the words of DBeast
The text that runs is written anew from the verified statement, so no difference between two parsers
can change what it does. The go-ahead is asked for as for any write.
proves: G-2, W-1

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop, as a write of main.orders
    update main.orders set total = 0 where id = 1
expect effect: run t1 for r1 at shop: write `UPDATE MAIN.ORDERS SET TOTAL = 0 WHERE ID = 1` within 30s
shop is ready to send
expect effect: let t1 send its statement
shop answers 0 rows
claude looks at r1
expect seen: completed, 0 rows
