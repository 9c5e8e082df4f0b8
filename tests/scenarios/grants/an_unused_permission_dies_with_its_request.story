# An unused permission dies with its request
Allowed but still waiting for a slot, then taken back: the slot that becomes free starts nothing.
proves: G-1, G-2

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2
expect count of grants: 1
claude cancels r2
expect count of grants: 0
shop answers 1 row
expect started: nothing
