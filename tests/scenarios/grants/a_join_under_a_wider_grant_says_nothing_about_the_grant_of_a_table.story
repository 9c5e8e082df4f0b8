# A join under a wider grant says nothing about the grant of a table
Two tables were read together, on the grant for the database. The grant of the one table neither
learns from it nor keeps its result.
proves: G-5, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
shop answers 2 rows, main.orders is object 7, main.customers is object 9
expect count of grants: 2
dana takes back g2
expect r3 is revoked
expect r1 is completed
