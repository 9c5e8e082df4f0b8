# Granting the same scope again replaces the grant before
Two prompts for the same table were open, and the person chose the same for both. There is one
grant, and taking it back takes the whole scope with everything that ran on it.
proves: G-3, R-6

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
dana allows r2 for the session: table
expect count of grants: 1
shop answers 2 rows, main.orders is object 7
dana takes back g1
expect refused: unknown
dana takes back g2
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
