# A query without any table is not covered by a table grant
A statement that names no table reads something else: settings, versions, time. It is not about the
table that was granted, so it asks.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT 1
expect started: nothing
expect r2 is pending
