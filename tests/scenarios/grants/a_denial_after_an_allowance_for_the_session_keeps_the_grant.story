# A denial after an allowance for the session keeps the grant
The request waits for a free slot and the person says no to it after all. The no is about this
request; the grant has its own line on the page and its own way to be taken back.
proves: G-3

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2 for the session: table
dana denies r2
expect count of grants: 1
shop answers 2 rows, main.orders is object 7
expect started: nothing
expect r2 is denied
claude queries shop
    SELECT id FROM main.orders
expect started: r3
shop answers 2 rows, main.orders is object 7
