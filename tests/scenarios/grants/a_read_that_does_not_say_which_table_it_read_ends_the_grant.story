# A read that does not say which table it read ends the grant
Without a reported identity nobody knows whether it was the table that was granted. Not knowing
counts as another table, at the first read and at any later one.
proves: G-5

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows
expect r1 is revoked
expect count of grants: 0
claude queries shop
    SELECT id FROM main.orders
dana allows r2 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
expect r3 is revoked
expect count of grants: 0
