# Every read tool goes the same way
Names of tables, columns of one table and structured reads need the same decision as a query.
proves: G-2

given claude works on shop: ask
claude lists the tables of shop
claude describes main.orders of shop
claude reads main.orders of shop
expect started: nothing
dana allows r1
shop answers 3 tables
dana allows r2
shop answers 4 columns
dana allows r3
shop answers 500 rows
claude looks at r1
expect seen: completed, 3 tables
claude looks at r2
expect seen: completed, 4 columns
claude looks at r3
expect seen: completed, 500 rows
