# A grant for reading never covers request_sql
Full SQL needs its own decision, whatever the statement looks like: the strict reader's proof was
not made for it, so not even a plain SELECT gets through.
proves: G-2

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude requests shop
    SELECT id FROM main.orders
expect started: nothing
claude requests shop, as a write of main.orders
    update main.orders set total = 0 where id = 1
expect started: nothing
expect r2 is pending
expect r3 is pending
