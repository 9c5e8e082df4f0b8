# A table write that waits for a slot dies with its level
It was covered when it came and is not when its turn comes. Nothing of it ever starts.
proves: R-6, G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop 2 times, as a write of main.orders
    delete from main.orders where id = 1
expect r2 is pending
dana shares main.orders of shop with claude: none
expect r2 is revoked
shop stops as told
expect started: nothing
