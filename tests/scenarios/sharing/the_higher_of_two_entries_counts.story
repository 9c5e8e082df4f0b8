# The higher of two entries counts
An entry for all agents and one of its own: the connection may do what the higher one says.

given claude works on shop: ask
dana shares shop with all agents: read
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 1 row
dana shares shop with all agents: ask
dana shares shop with claude: read
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 1 row
