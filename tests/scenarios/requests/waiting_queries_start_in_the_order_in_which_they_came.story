# Waiting queries start in the order in which they came
Not in the order in which they were allowed, and not by name: after r9 comes r10.
proves: T-1, T-5, G-1

given claude works on shop: read
claude queries shop 8 times, each answered
    SELECT id FROM main.orders
dana shares shop with claude: ask
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT id FROM main.orders
dana allows r11
expect started: r11
dana allows r10
dana allows r9
expect started: nothing
shop answers 1 row
expect started: r9
shop answers 1 row
expect started: r10
shop answers 1 row
