# Unsharing revokes what waits and what runs and what is done
Nothing that stood on the sharing outlives it, not even a result that is ready to be read. After that
the database looks like none.
proves: R-6, R-3, R-4

given claude works on shop: ask
claude queries shop 3 times
    SELECT id FROM main.orders
dana allows r1
shop answers 2 rows
dana allows r2
dana shares shop with claude: none
expect effect: tell t2 to stop
claude looks at r1
expect seen: revoked
claude looks at r2
expect seen: revoked
claude looks at r3
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect refused: resource unavailable
shop answers 2 rows
claude looks at r2
expect seen: revoked
claude looks at the catalog
expect seen: nothing
