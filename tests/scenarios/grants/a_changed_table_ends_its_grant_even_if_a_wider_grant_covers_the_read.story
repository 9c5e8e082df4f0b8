# A changed table ends its grant even if a wider grant covers the read
The read itself stands on the grant for the whole database. But the table is not the one that its
own grant was for, so that grant is over and cannot keep the result after the wider one is taken
back.
proves: R-6, G-5

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows, main.orders is object 8
expect r3 is completed
expect count of grants: 1
dana takes back g2
expect r3 is revoked
expect r1 is revoked
