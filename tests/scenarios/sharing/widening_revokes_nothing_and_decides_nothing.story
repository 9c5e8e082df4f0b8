# Widening revokes nothing and decides nothing
More access later changes neither what runs nor what waits for a decision: the person still sees the
question that was asked under ask.
proves: R-4, G-2

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana shares shop with claude: read
expect r1 is running
expect r2 is pending
dana shares shop with all agents: ask
expect r1 is running
shop answers 2 rows
expect started: nothing
claude queries shop
    SELECT id FROM main.orders
expect started: r3
shop answers 1 row
