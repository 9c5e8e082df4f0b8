# A guessed session token opens nothing
Claude's own connection with a wrong session token is as dead as no token at all.

given claude works on shop: read
claude queries shop, with the token of nobody
    SELECT id FROM main.orders
expect refused: session expired
claude looks at r1, with the token of nobody
expect seen: refused: session expired
claude ends its session, with the token of nobody
expect refused: session expired
expect count of sessions: 1
