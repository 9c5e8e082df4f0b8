# Unsharing a database forgets its tables
When it is shared again, it is shared as the person says then. No table comes back with a level that
nobody remembers.
proves: H-1, R-6

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
dana shares shop with claude: none
dana shares shop with claude: ask
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
