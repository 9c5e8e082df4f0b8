# A table that is granted again must still be the one that was read
A second grant for the same table takes the place of the first one and knows what that knew. So
nobody can slip in another table between two decisions.
proves: G-3, G-5

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
dana allows r2 for the session: table
expect effect: run t2 for r2 at shop: read within 30s, main.orders must be 07070707…
shop answers 2 rows, main.orders is object 8
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
