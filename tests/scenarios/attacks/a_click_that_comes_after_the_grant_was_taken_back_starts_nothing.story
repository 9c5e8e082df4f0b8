# A click that comes after the grant was taken back starts nothing
The request waited on the grant and was revoked with it. The page that still shows it cannot bring
it back, and its agent cannot either.
proves: R-4, G-2

given claude works on shop: ask
claude queries shop, with key a1
    SELECT id FROM main.orders
dana allows r1 for the session: table
claude queries shop, with key a2
    SELECT id FROM main.orders
dana takes back g1
dana allows r2
expect refused: not pending
dana allows r2 for the session: source
expect refused: not pending
claude queries shop, with key a2
    SELECT id FROM main.orders
expect answer: r2 again
expect started: nothing
shop stops as told
claude looks at r2
expect seen: revoked
