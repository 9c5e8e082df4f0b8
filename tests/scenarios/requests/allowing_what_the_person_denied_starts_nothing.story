# Allowing what the person denied starts nothing
No is no. The agent has to ask anew, under a new key.
proves: R-4

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana denies r1
dana allows r1
expect refused: not pending
expect r1 is denied
