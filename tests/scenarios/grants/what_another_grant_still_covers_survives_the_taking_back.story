# What another grant still covers survives the taking back
A query of one table stands on the grant for the table and on that for the database. When the wider
one is taken back, only what nothing else covers goes with it.
proves: R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
claude queries shop
    SELECT total FROM main.orders
dana takes back g2
expect r2 is revoked
expect r3 is running
shop answers 2 rows, main.orders is object 7
claude looks at r3
expect seen: completed, 2 rows
claude looks at r1
expect seen: completed, 2 rows
