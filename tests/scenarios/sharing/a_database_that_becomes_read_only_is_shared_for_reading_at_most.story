# A database that becomes read-only is shared for reading at most
The levels that the person set stay, and what they are worth is cut. The catalog tells the agent
what it can really do.
proves: W-1

given claude works on shop: read_write
dana shares main.orders of shop with claude: read_write
dana changes shop: read-only
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read main.orders=read
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect refused: source read-only
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 2 rows
dana changes shop: writable
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read_write main.orders=read_write
expect r1 is revoked
