# A shared table is known by its exact name
Another schema, another spelling and another database are not the table that the person shared.
proves: G-2

given claude works on shop: ask
given claude works on archive: ask
dana shares main.orders of shop with claude: read
claude queries shop
    SELECT id FROM temp.orders
expect started: nothing
claude queries shop
    SELECT id FROM main.ORDERS
expect started: nothing
claude queries archive
    SELECT id FROM main.orders
expect started: nothing
claude queries shop
    SELECT id FROM main.orders
expect started: r4
shop answers 2 rows
