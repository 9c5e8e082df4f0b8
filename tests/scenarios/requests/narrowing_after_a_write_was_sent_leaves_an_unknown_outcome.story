# Narrowing after a write was sent leaves an unknown outcome
Unsharing ends everything of the connection on the database: what waits, what runs, what is done.
Only what was sent cannot be called back.
proves: W-2, R-6

given claude works on shop: read_write
claude requests shop
    insert into main.orders (total) values (1)
shop is ready to send
claude requests shop
    insert into main.orders (total) values (2)
dana shares shop with claude: ask
expect effect: tell t1 to stop
expect r1 is outcome_unknown
expect r2 is revoked
shop stops as told
expect started: nothing
