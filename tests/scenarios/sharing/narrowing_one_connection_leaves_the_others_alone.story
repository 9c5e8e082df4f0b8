# Narrowing one connection leaves the others alone
The person took the database away from mallory, not from claude.
proves: R-6

given claude works on shop: read
given mallory works on shop: read
claude queries shop
    SELECT id FROM main.orders
mallory queries shop
    SELECT id FROM main.orders
dana shares shop with mallory: ask
expect r1 is running
expect r2 is revoked
shop answers 2 rows for t1
shop stops as told
claude looks at r1
expect seen: completed, 2 rows
