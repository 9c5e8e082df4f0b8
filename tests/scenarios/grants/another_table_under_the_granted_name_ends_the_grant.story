# Another table under the granted name ends the grant
Somebody dropped the table and made another one with the same name. What was read from it is not
handed over, what was read before is taken away, and the next query needs a new decision.
proves: G-5, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows, main.orders is object 8
expect r2 is revoked
expect r1 is revoked
expect count of grants: 0
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
