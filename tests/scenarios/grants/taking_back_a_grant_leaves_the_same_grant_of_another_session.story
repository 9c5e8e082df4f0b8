# Taking back a grant leaves the same grant of another session
Two agents were trusted with the same database. Each has its own grant, and the person took back one
of them.
proves: R-6, G-3

given claude works on shop: ask
given eve works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
eve lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
dana takes back g1
expect r1 is revoked
eve looks at r2
expect seen: completed, 3 tables
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
eve queries shop
    SELECT id FROM main.orders
expect started: r4
shop answers 2 rows
