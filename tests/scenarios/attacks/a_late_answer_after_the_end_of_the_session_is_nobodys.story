# A late answer after the end of the session is nobodys
The database answers after the agent, the session and the request are gone; then once more.
proves: T-1, R-3

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
dana ends s1
shop answers 2 rows
expect slots taken: 0
shop answers 2 rows for t1
expect refused: late answer
shop answers 2 rows for t99
expect refused: late answer
claude begins a session
claude looks at r1
expect seen: refused: resource unavailable
