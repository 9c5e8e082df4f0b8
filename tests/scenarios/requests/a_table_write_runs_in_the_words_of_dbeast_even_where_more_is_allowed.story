# A table write runs in the words of DBeast even where more is allowed
The level of the table is what lets it run without a question, so its rule about the text holds,
also beside Full SQL for the session or for the database.
proves: G-2, W-1

given claude works on shop: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
dana shares main.orders of shop with claude: read_write
dana shares shop with claude: read_write
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect effect: run t2 for r2 at shop: write `DELETE FROM MAIN.ORDERS WHERE ID = 1` within 30s
shop is ready to send
shop answers 0 rows
