# A table grant needs exactly one table
A join, a list of tables and a query without a table do not say which table a grant would be for.
The person can allow them once or grant the whole database.
proves: G-1

given claude works on shop: ask
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
claude lists the tables of shop
claude queries shop
    SELECT 1
dana allows r1 for the session: table
expect refused: scope does not fit
dana allows r2 for the session: table
expect refused: scope does not fit
dana allows r3 for the session: table
expect refused: scope does not fit
expect count of grants: 0
