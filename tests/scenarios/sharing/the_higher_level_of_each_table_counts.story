# The higher level of each table counts
What all agents may do and what this one may do add up, table by table. Lowering one of the two is
still a narrowing of this connection.
proves: R-6

given claude works on shop: ask
dana shares shop with all agents: ask
dana shares main.orders of shop with all agents: read
dana shares main.orders of shop with claude: read_write
dana shares main.customers of shop with all agents: read_write
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.customers=read_write main.orders=read_write
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
dana shares main.orders of shop with all agents: none
expect r1 is revoked
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.customers=read_write main.orders=read_write
