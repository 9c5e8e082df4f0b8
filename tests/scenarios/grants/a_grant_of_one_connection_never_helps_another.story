# A grant of one connection never helps another
Both agents see the database, and only one was trusted with it. The other one asks, also with the
identifier of the request that brought the grant.
proves: G-2

given claude works on shop: ask
given eve works on shop: ask
claude queries shop, with key k9
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
eve queries shop, with key k9
    SELECT id FROM main.orders
expect started: nothing
expect r2 is pending
eve looks at r1
expect seen: refused: resource unavailable
eve queries shop, with the token of s1
    SELECT id FROM main.orders
expect refused: session expired
