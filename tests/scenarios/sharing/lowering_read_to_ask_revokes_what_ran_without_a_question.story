# Lowering read to ask revokes what ran without a question
The query stood on access that is gone. Its rows come too late.
proves: R-6, G-2

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT name FROM main.customers
dana shares shop with claude: ask
expect effect: tell t1 to stop
expect r2 is revoked
shop answers 2 rows
expect started: nothing
claude looks at r1
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect r3 is pending
expect started: nothing
