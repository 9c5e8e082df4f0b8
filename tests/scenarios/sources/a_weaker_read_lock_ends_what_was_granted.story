# A weaker read lock ends what was granted
How tables are held during a read is part of the configuration. Who allowed a read under one lock did
not allow it under another one, and the next read is held as the person says now.
proves: G-4, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
expect effect: run t1 for r1 at shop: read within 30s
shop answers 2 rows, main.orders is object 7
claude queries shop
    SELECT total FROM main.orders
dana changes shop: weak read lock
expect effect: tell t2 to stop
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
shop stops as told
claude queries shop
    SELECT id FROM main.orders
expect started: nothing
dana allows r3
expect effect: run t3 for r3 at shop: read within 30s, held by the weaker lock
shop answers 2 rows
dana changes shop: full read lock
expect r3 is revoked
