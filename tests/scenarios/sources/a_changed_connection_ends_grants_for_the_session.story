# A changed connection ends grants for the session
The identifier is the same and the database behind it is another one. The grant was for the one that
the person had in mind then.
proves: G-4, R-6

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude queries shop
    SELECT id FROM main.orders
dana changes shop: connection staging
expect count of grants: 0
expect r1 is revoked
expect r2 is revoked
shop stops as told
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
dana allows r3
expect effect: run t3 for r3 at staging: read within 30s
clock 30s
expect waiting t3
