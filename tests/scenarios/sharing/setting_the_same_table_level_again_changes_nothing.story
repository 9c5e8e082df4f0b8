# Setting the same table level again changes nothing
A click that changes nothing is not a narrowing. Nothing is saved, noted or revoked, and taking away
what is not there is the same.

given claude works on shop: ask
dana shares main.orders of shop with claude: read
claude queries shop
    SELECT id FROM main.orders
dana shares main.orders of shop with claude: read
expect no effect
dana shares main.customers of shop with claude: none
expect no effect
expect r1 is running
shop answers 2 rows
