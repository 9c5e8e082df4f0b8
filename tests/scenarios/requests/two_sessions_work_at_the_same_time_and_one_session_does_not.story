# Two sessions work at the same time and one session does not
One slot for each session, so that one agent cannot keep the others waiting.
proves: T-1

given claude works on shop: read
given cursor works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT name FROM main.customers
expect started: nothing
cursor queries shop
    SELECT id FROM main.orders
expect started: r3
shop answers 1 row for t2
expect started: nothing
shop answers 1 row for t1
expect started: r2
shop answers 1 row
