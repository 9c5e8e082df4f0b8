# A cancelled query keeps its slot until its database has stopped
Taking a request back changes its status at once, but the database still works. Its slot belongs to
the work, so the next query of the session waits.
proves: T-1, R-2

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude cancels r1
expect effect: tell t1 to stop
expect r1 is cancelled
expect slots taken: 1
claude queries shop
    SELECT count(*) FROM main.orders
expect started: nothing
claude looks at r2
expect seen: pending, ask again in 200ms
clock 3s
shop stops as told
expect started: r2
shop answers 1 row
