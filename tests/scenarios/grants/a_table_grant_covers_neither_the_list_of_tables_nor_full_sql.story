# A table grant covers neither the list of tables nor Full SQL
The list names every other table, and Full SQL may do anything. Neither follows from the permission
to read one table, even if the statement looks like a read of it.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude lists the tables of shop
expect started: nothing
claude requests shop
    SELECT id FROM main.orders
expect started: nothing
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect started: nothing
