# Revoking a connection ends everything that it had
Session, requests, permissions, results and its sharing are gone at once. Its database work is told to
stop, and the answer is nobody's.
proves: S-1, H-1, R-1

given claude works on shop: ask
claude queries shop 3 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2
dana revokes claude
expect effect: tell t1 to stop
expect count of requests: 0
expect count of grants: 0
expect count of sessions: 0
claude looks at r1
expect seen: refused: session expired
claude queries shop
    SELECT id FROM main.orders
expect refused: session expired
claude begins a session
expect refused: session expired
shop answers 2 rows
expect started: nothing
dana revokes claude
expect refused: unknown
