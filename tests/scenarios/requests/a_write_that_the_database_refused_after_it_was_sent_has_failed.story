# A write that the database refused after it was sent has failed
The database itself says that nothing took effect: a constraint, a missing right. That is an answer,
and no reason to be unsure.
proves: W-2, R-4

given claude works on shop: ask
claude requests shop
    insert into main.orders (id) values (1)
dana allows r1
shop is ready to send
shop fails: execution_failed, saying "UNIQUE constraint failed: orders.id"
claude looks at r1
expect seen: failed: execution_failed
