# An answer one millisecond before the deadline counts and at the deadline does not
A query has thirty seconds. At the limit it is told to stop, and an answer that comes then is never
handed over.
proves: R-4, T-2

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
clock 29s 999ms
shop answers 2 rows
expect r1 is completed
claude queries shop
    SELECT id FROM main.orders
clock 30s without the alarm
shop answers 2 rows
expect effect: tell t2 to stop
expect r2 is expired
claude looks at r2
expect seen: expired: took too long
claude queries shop
    SELECT id FROM main.orders
clock 30s
expect effect: tell t3 to stop
expect slots taken: 1
shop stops as told
expect slots taken: 0
