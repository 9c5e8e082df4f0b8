# An unused permission dies with its session
The agent begins again while its allowed query waits. The permission was for the old conversation.
proves: G-1, R-1

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2
claude begins a session
expect count of grants: 0
expect r2 is gone
shop stops as told
expect started: nothing
dana allows r2
expect refused: unknown
