# The first read under a table grant fixes which table it is
A name can be given to another table. The proof of the first read says which table was meant, and
later reads are told that it must still be that one.
proves: G-5

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT total FROM main.orders
expect effect: run t2 for r2 at shop: read within 30s, main.orders must be 07070707…
shop answers 2 rows, main.orders is object 7
claude looks at r2
expect seen: completed, 2 rows
