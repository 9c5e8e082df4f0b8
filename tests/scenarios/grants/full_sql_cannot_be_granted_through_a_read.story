# Full SQL cannot be granted through a read
The page offers only what fits. A decision that reaches further than its request, from an old page
or a forged one, is refused, and the request goes on waiting.
proves: G-1

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: full_sql
expect refused: scope does not fit
dana allows r1 for the session: document
expect refused: scope does not fit
expect count of grants: 0
expect r1 is pending
claude requests shop
    SELECT id FROM main.orders
dana allows r2 for the session: source
expect refused: scope does not fit
dana allows r2 for the session: table
expect refused: scope does not fit
expect r2 is pending
