# Widening keeps session grants
The person gives more. There is no reason why a grant or what runs on it should end.
proves: G-4

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
dana shares shop with claude: read
dana shares main.customers of shop with claude: read_write
expect count of grants: 1
expect r1 is running
shop answers 2 rows, main.orders is object 7
claude looks at r1
expect seen: completed, 2 rows
