# Taking back a grant ends what runs and waits and is done on it
The person changes their mind. The running query is told to stop, the waiting one does not start,
and the result that was ready is not handed over.
proves: R-6, R-4, G-2

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude queries shop 2 times
    SELECT id FROM main.orders
expect r2 is running
dana takes back g1
expect effect: tell t2 to stop
expect r1 is revoked
expect r2 is revoked
expect r3 is revoked
shop answers 2 rows
expect started: nothing
claude looks at r2
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
