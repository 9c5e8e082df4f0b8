# Narrowing the entry of all agents revokes even what an own entry still covers
The person narrowed what applies to everybody. Whoever keeps an entry of its own may ask again, but
nothing old goes on.
proves: R-4

given claude works on shop: read
dana shares shop with all agents: read
claude queries shop
    SELECT id FROM main.orders
dana shares shop with all agents: none
expect effect: tell t1 to stop
expect r1 is revoked
shop stops as told
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 1 row
