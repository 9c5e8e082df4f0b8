# A session token opens nothing without its own connection
Mallory has got hold of claude's session token, but comes with another connection's bearer token.
proves: S-1

given claude works on shop: read
given mallory works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
mallory looks at r1, with the token of s1
expect seen: refused: session expired
mallory queries shop, with the token of s1
    SELECT id FROM main.orders
expect refused: session expired
mallory cancels r1, with the token of s1
expect refused: session expired
mallory ends its session, with the token of s1
expect refused: session expired
expect count of sessions: 2
