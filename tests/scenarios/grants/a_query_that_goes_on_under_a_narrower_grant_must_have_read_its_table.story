# A query that goes on under a narrower grant must have read its table
It started under the grant for the database, so the driver was not told which table it must be. That
grant is gone when the answer comes, and only the table's own is left: now the identity counts.
proves: G-5, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
claude queries shop
    SELECT id FROM main.orders
expect effect: run t3 for r3 at shop: read within 30s
dana takes back g2
shop answers 2 rows, main.orders is object 8
expect r3 is revoked
expect r1 is revoked
expect count of grants: 0
