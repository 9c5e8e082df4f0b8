# A waiting read learns which table it must be
It came before the first read had fixed the table. When its turn comes, the grant knows the table,
and so does the driver.
proves: G-5

given claude works on shop: ask
claude describes main.orders of shop
dana allows r1 for the session: table
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
shop answers 4 columns, main.orders is object 7
expect effect: run t2 for r2 at shop: read within 30s, main.orders must be 07070707…
shop answers 2 rows, main.orders is object 7
claude looks at r2
expect seen: completed, 2 rows
