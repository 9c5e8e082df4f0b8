# A changed context ends what was granted and is where the next query looks
The same names mean other tables in another context. Nothing carries over to it, and what is allowed
afterwards runs in it.
proves: G-4, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
dana changes shop: context sales
expect count of grants: 0
expect r1 is revoked
claude queries shop
    SELECT id FROM main.orders
dana allows r2
expect effect: run t2 for r2 at shop in sales: read within 30s
shop answers 2 rows
claude looks at r2
expect seen: completed, 2 rows
