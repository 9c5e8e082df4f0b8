# A grant can be taken back once
It is gone after the first time. A second click from an old page, or one for a permission that was
used up, finds nothing.

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana takes back g1
expect refused: unknown
dana allows r2
dana takes back g2
expect r2 is revoked
dana takes back g2
expect refused: unknown
shop answers 2 rows
claude looks at r1
expect seen: completed, 2 rows
