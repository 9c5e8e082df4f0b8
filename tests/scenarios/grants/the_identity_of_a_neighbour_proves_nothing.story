# The identity of a neighbour proves nothing
The driver reports which tables it proved. That another one is what it always was says nothing about
the table that was granted.
proves: G-5

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.customers is object 7
expect r1 is revoked
expect count of grants: 0
