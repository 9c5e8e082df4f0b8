# A driver that finds another table ends the grant before anything is read
The driver is told which table it must be and looks before it reads. When it is another one, the
grant is over without a single row having been read.
proves: G-5, T-3

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude queries shop 2 times
    SELECT id FROM main.orders
shop finds another table
expect count of grants: 0
expect r2 is revoked
expect r3 is revoked
expect started: nothing
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
