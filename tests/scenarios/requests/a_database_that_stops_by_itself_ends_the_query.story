# A database that stops by itself ends the query
The driver may be interrupted or find its own deadline first. The request says so and the slot is free.
proves: R-2, R-3

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop runs out of time
claude looks at r1
expect seen: expired: took too long
claude queries shop
    SELECT id FROM main.orders
shop stops as told
claude looks at r2
expect seen: cancelled
expect slots taken: 0
