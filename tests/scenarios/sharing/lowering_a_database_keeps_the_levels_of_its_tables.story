# Lowering a database keeps the levels of its tables
The person takes the database back to asking and leaves the tables as they are. What ran is revoked
like with any narrowing; a new query of the table runs.
proves: R-6

given claude works on shop: read_write
dana shares main.orders of shop with claude: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
dana shares shop with claude: ask
expect r1 is revoked
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.orders=read
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 2 rows
