# A database that was removed and added again is another one
Even under the same identifier nothing carries over: no sharing, no permission, no result, no text
that was verified before.
proves: H-1, R-6, R-4

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
dana removes shop
expect r1 is revoked
dana adds shop
claude queries shop
    SELECT id FROM main.orders
expect refused: resource unavailable
dana shares shop with claude: read
claude queries shop, with its text verified under sg1
    SELECT id FROM main.orders
expect refused: resource unavailable
claude looks at r1
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 1 row
