# A denied request is not asked again under its key
The person said no. Sending the same intent again must not put the same question on their screen
until they tire of it.
proves: K-1, R-4

given claude works on shop: ask
claude queries shop, with key k1
    SELECT id FROM main.orders
dana denies r1: "Ask for totals per month instead."
claude looks at r1
expect seen: denied: "Ask for totals per month instead."
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
expect r1 is denied
dana allows r1
expect refused: not pending
