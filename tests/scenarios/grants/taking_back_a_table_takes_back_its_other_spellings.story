# Taking back a table takes back its other spellings
To the database `orders` and `ORDERS` are one table, but not to a grant: each spelling was asked for and
granted by itself. One click must take back the whole of it, and no other table.
proves: G-3, R-6

given claude works on shop: ask
claude describes main.orders of shop
dana allows r1 for the session: table
shop answers 2 columns, main.orders is object 7
claude describes main.ORDERS of shop
expect r2 is pending
dana allows r2 for the session: table
shop answers 2 columns, main.ORDERS is object 7
claude describes main.customers of shop
dana allows r3 for the session: table
shop answers 2 columns, main.customers is object 8
expect count of grants: 3
dana takes back g1
expect count of grants: 1
expect r1 is revoked
expect r2 is revoked
expect r3 is completed
claude describes main.ORDERS of shop
expect r4 is pending
