# The two hundred and fifty seventh key needs a new session
Used keys are never forgotten while the session lives, so there is an end to them. The oldest one
still answers.
proves: K-1

given claude works on shop: read
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
clock 5m
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
clock 5m
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
clock 5m
claude queries shop 64 times, each answered
    SELECT id FROM main.orders
clock 5m
claude queries shop
    SELECT id FROM main.orders
expect refused: key limit
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
claude begins a session
claude queries shop
    SELECT id FROM main.orders
expect started: r257
shop answers 1 row
