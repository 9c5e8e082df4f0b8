# A table grant does not reach the same name in another database
Two databases often have the same tables, one with the real data. The permission was for the one
that the prompt showed.
proves: G-2

given claude works on shop: ask
given claude works on production: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries production
    SELECT id FROM main.orders
expect started: nothing
expect r2 is pending
