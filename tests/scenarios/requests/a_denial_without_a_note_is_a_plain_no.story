# A denial without a note is a plain no
The person owes nobody a reason.

given claude works on shop: ask
claude describes main.orders of shop
dana denies r1
claude looks at r1
expect seen: denied
dana denies r1
expect refused: not pending
