# Removing an own entry revokes even what all agents still may do
It applied to this connection and is gone. The entry of all agents covers new requests only.
proves: R-4

given claude works on shop: read
dana shares shop with all agents: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
dana shares shop with claude: none
claude looks at r1
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 1 row
