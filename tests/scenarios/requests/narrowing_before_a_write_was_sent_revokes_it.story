# Narrowing before a write was sent revokes it
The database was still getting ready. Nothing was sent and nothing will be, so the request is
revoked and not unknown.
proves: W-1, R-6

given claude works on shop: read_write
claude requests shop
    insert into main.orders (total) values (1)
dana shares shop with claude: read
expect r1 is revoked
shop is ready to send
expect refused: late answer
expect no effect
shop stops as told
claude looks at r1
expect seen: revoked
