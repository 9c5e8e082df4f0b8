# Removing a database stops its work and drops the answer
The answer of the old configuration comes after the database was added again. It is nobody's.
proves: R-6, R-3

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana removes shop
expect effect: tell t1 to stop
expect r1 is revoked
expect r2 is revoked
dana adds shop
dana shares shop with claude: read
shop answers 2 rows
claude looks at r1
expect seen: revoked
dana allows r2
expect refused: not pending
