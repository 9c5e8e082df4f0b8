# A database that never answers keeps its slot
Nobody knows what it still does. Its query is over for the agent after thirty seconds, and the next one
of the session waits until its own time is over.
proves: T-1, T-2

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
clock 30s
expect effect: tell t1 to stop
claude looks at r1
expect seen: expired: took too long
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
clock 5m
claude looks at r2
expect seen: expired: no decision in time
clock 1h
expect slots taken: 1
expect waiting t1
