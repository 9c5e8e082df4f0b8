# Changing and changing back revives nothing
Each change makes another configuration, also one that looks like an earlier one. A text that was
verified under the first is not good under the third.
proves: G-4, R-4

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
dana changes shop: connection elsewhere
dana changes shop: connection shop
expect count of grants: 0
expect r1 is revoked
dana allows r2
expect refused: not pending
claude queries shop, with its text verified under sg1
    SELECT id FROM main.orders
expect refused: resource unavailable
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
