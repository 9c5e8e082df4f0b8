# Allowing twice starts nothing twice
A double click, or two windows. The first one counts.
proves: G-1, G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT name FROM main.customers
dana allows r1
expect started: r1
dana allows r1
expect refused: not pending
dana allows r2
expect started: nothing
dana allows r2
expect refused: already allowed
expect count of grants: 1
shop answers 1 row
expect started: r2
shop answers 1 row
