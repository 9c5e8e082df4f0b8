# A decision for the session decides about one request only
Other prompts that are open show other texts. The person decides about each of them, even if the new
grant would have covered it; what comes after the grant runs by itself.
proves: G-2

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
expect started: nothing
expect r2 is pending
claude queries shop
    SELECT id FROM main.orders
expect started: r3
shop answers 2 rows, main.orders is object 7
dana denies r2
claude looks at r2
expect seen: denied
