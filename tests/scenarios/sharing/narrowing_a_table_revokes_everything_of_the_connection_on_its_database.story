# Narrowing a table revokes everything of the connection on its database
The contract asks for no less: what waits, runs and is done on the database goes, also where it is
about another table or stood on a decision of its own.
proves: R-6, R-4

given claude works on shop: read
dana shares main.orders of shop with claude: read_write
claude queries shop
    SELECT id FROM main.customers
shop answers 2 rows
claude requests shop
    vacuum
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
dana shares main.orders of shop with claude: read
expect r1 is revoked
expect r2 is revoked
expect r3 is revoked
expect effect: tell t2 to stop
shop stops as told
claude queries shop
    SELECT id FROM main.customers
expect started: r4
shop answers 2 rows
