# A table that changes during a read ends it whatever it stands on
The driver noticed in time and read nothing. Without a grant there is none to end; a statement that
was sent is unknown as ever.
proves: R-4, W-2

given claude works on shop: read_write
claude queries shop
    SELECT id FROM main.orders
shop finds another table
expect r1 is revoked
claude lists the tables of shop
shop finds another table
expect r2 is revoked
claude requests shop
    delete from main.orders
shop finds another table
expect r3 is revoked
claude requests shop
    delete from main.orders
shop is ready to send
shop finds another table
expect r4 is outcome_unknown
