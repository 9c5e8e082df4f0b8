# The sixty fifth kept request is refused until one is dropped
Finished requests are kept for five minutes, and no more than 64 of them. Nothing that is kept is
dropped to make room.
proves: R-5

given claude works on shop: read
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
expect count of requests: 64
clock 1m
claude queries shop
    SELECT id FROM main.orders
expect refused: request limit
claude looks at r1
expect seen: completed, 1 row
clock 4m
expect count of requests: 0
claude queries shop
    SELECT id FROM main.orders
expect answer: r65 new
shop answers 1 row
