# The person ends a session and its token is dead
The connection stays. Its agent may begin again, with nothing.
proves: S-1, R-1

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana ends s1
expect count of requests: 0
claude looks at r1
expect seen: refused: session expired
dana ends s1
expect refused: unknown
claude ends its session
expect refused: session expired
claude begins a session
expect count of sessions: 1
