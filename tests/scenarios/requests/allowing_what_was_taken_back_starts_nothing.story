# Allowing what was taken back starts nothing
The agent changed its mind while the person was reading. The person's click comes too late and says
so.
proves: R-4, G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
claude cancels r1
dana allows r1
expect refused: not pending
expect started: nothing
claude looks at r1
expect seen: cancelled
