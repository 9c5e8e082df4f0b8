# A self join is a read of one table
The same table under two aliases is still the one table. It fits a grant for that table and runs
under it.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT a.id FROM main.orders AS a JOIN main.orders AS b ON b.id = a.parent
dana allows r1 for the session: table
expect started: r1
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT a.id FROM main.orders AS a JOIN main.orders AS b ON b.id = a.parent
expect started: r2
shop answers 2 rows, main.orders is object 7
