# A join runs if all of its tables are shared
Two shared tables may be read together. One table more that is not shared, anywhere in the query,
and the person is asked.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read
dana shares main.customers of shop with claude: read_write
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
expect started: r1
shop answers 2 rows
claude queries shop
    SELECT id FROM main.orders WHERE id IN (SELECT id FROM main.refunds)
expect started: nothing
expect r2 is pending
