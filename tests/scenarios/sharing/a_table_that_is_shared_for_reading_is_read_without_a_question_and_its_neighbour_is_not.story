# A table that is shared for reading is read without a question and its neighbour is not
The person shared one table and nothing else of the database. Reads of that table run, in any form;
its neighbour and the list of tables ask.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 2 rows
claude describes main.orders of shop
expect started: r2
shop answers 4 columns
claude reads main.orders of shop
expect started: r3
shop answers 2 rows
claude queries shop
    SELECT id FROM main.customers
expect started: nothing
claude lists the tables of shop
expect started: nothing
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.orders=read
