# A database that cannot be used is invisible
To the agent it is as if it did not exist. When it is back it is shared as before, and nothing of
what was asked before has survived.
proves: R-6, G-4

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
dana changes shop: unavailable
claude looks at the catalog
expect seen: nothing
claude looks at r1
expect seen: revoked
claude queries shop, with its text verified under sg2
    SELECT id FROM main.orders
expect refused: resource unavailable
dana changes shop: available
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read
claude looks at r1
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 2 rows
