# The sixty fifth kept request takes the place of the oldest result
No more than 64 requests are kept, and finished ones up to five minutes. Where the two meet, the oldest
result of the session that keeps the most goes first. Its key stays used, and nobody else loses anything.
proves: R-5, K-1

given claude works on shop: read
given cursor works on shop: read
cursor queries shop
    SELECT id FROM main.orders
shop answers 1 row
claude queries shop 63 times, each answered
    SELECT id FROM main.orders
expect count of requests: 64
cursor queries shop
    SELECT name FROM main.orders
expect count of requests: 64
shop answers 2 rows
claude looks at r2
expect seen: result_expired
claude looks at r3
expect seen: completed, 1 row
cursor looks at r1
expect seen: completed, 1 row
cursor looks at r65
expect seen: completed, 2 rows
