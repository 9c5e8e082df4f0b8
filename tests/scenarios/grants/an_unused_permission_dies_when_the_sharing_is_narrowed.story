# An unused permission dies when the sharing is narrowed
The person allowed a query, then thought better of the whole database, before it could start.
proves: G-1, G-2, R-6

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2
dana shares shop with claude: none
expect count of grants: 0
expect r2 is revoked
shop stops as told
expect started: nothing
