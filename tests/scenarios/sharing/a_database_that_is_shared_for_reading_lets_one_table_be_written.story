# A database that is shared for reading lets one table be written
The levels add up: everything is read, one table is written, and any other write asks.
proves: G-2

given claude works on shop: read
dana shares main.orders of shop with claude: read_write
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
expect started: r1
shop answers 2 rows
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect started: r2
shop is ready to send
shop answers 0 rows
claude requests shop, as a write of main.customers
    delete from main.customers where id = 1
expect started: nothing
