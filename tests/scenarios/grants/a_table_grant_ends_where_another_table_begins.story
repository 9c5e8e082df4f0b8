# A table grant ends where another table begins
A join, a subquery or a union that names one more table is not a read of the one table, wherever the
other name stands and however it is written. Each such query asks.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
expect started: nothing
claude queries shop
    SELECT id FROM main.orders WHERE id IN (SELECT salary FROM main.employees)
expect started: nothing
claude queries shop
    SELECT id FROM archive.orders
expect started: nothing
claude queries shop
    SELECT id FROM main.Orders
expect started: nothing
expect r5 is pending
