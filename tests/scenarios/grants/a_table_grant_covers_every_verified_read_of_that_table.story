# A table grant covers every verified read of that table
Metadata, a structured read and any verified query of the one table run without another question,
until the session ends. That is what the person chose for it.
proves: G-2, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
expect started: r1
shop answers 2 rows, main.orders is object 7
claude describes main.orders of shop
expect started: r2
shop answers 4 columns, main.orders is object 7
claude reads main.orders of shop
expect started: r3
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT count(*) FROM main.orders WHERE id IN (SELECT id FROM main.orders)
expect started: r4
shop answers 1 row, main.orders is object 7
claude looks at r4
expect seen: completed, 1 row
