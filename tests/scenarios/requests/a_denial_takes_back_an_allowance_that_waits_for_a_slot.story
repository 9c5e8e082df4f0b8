# A denial takes back an allowance that waits for a slot
Between Allow and the start the person may still change their mind: nothing has run yet.
proves: G-1, G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT card_number FROM main.customers
dana allows r1
dana allows r2
expect count of grants: 1
dana denies r2
expect count of grants: 0
shop answers 1 row
expect started: nothing
claude looks at r2
expect seen: denied
dana denies r1
expect refused: not pending
