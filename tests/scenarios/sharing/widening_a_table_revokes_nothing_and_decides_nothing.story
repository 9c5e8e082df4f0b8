# Widening a table revokes nothing and decides nothing
What waits for a decision goes on waiting: the person has not said anything about it. What comes
after that runs by itself.
proves: G-2, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana shares main.orders of shop with claude: read
expect started: nothing
expect r1 is pending
claude queries shop
    SELECT id FROM main.orders
expect started: r2
dana shares main.orders of shop with claude: read_write
expect r2 is running
shop answers 2 rows
claude looks at r2
expect seen: completed, 2 rows
