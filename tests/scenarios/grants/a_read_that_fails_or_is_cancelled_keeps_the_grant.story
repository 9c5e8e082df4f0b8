# A read that fails or is cancelled keeps the grant
Neither says anything about the table. What was read before stays, and the next read of the table
runs and must still find the same one.
proves: G-5, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT id FROM main.orders
shop fails: table_unknown
claude queries shop
    SELECT id FROM main.orders
claude cancels r3
shop stops as told
expect r1 is completed
claude queries shop
    SELECT id FROM main.orders
expect effect: run t4 for r4 at shop: read within 30s, main.orders must be 07070707…
shop answers 2 rows, main.orders is object 7
