# An allowed query that gets no slot in time expires
The permission was for now, not for whenever. Its unused grant goes with it.
proves: G-1, R-4

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT name FROM main.customers
dana allows r1
dana allows r2
clock 30s
expect effect: tell t1 to stop
clock 4m 30s
expect r2 is expired
expect count of grants: 0
shop stops as told
expect started: nothing
claude looks at r2
expect seen: expired: no decision in time
