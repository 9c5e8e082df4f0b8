# The same request key with the same arguments never runs again
An agent that lost an answer sends the same intent again. It gets the request that it already has,
whatever became of it, and nothing runs a second time.
proves: K-1, R-4

given claude works on shop: ask
claude queries shop, with key k1
    SELECT id FROM main.orders
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
dana allows r1
claude queries shop, with key k1
    SELECT id FROM main.orders
expect started: nothing
shop answers 2 rows
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
expect no effect
claude looks at r1
expect seen: completed, 2 rows
claude queries shop, with key k2
    SELECT id FROM main.orders
expect answer: r2 new
