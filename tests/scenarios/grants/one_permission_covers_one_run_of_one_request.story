# One permission covers one run of one request
The same text again is a new request and needs a new decision. Nothing is learnt from the first yes.
proves: G-1, G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1
expect started: r1
expect count of grants: 0
shop answers 2 rows
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
expect r2 is pending
