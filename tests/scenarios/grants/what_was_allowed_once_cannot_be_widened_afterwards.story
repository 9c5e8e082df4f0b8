# What was allowed once cannot be widened afterwards
The second click comes from a page that has not seen the first one. It neither gives a grant nor
starts anything.
proves: G-1

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana allows r2
dana allows r2 for the session: source
expect refused: already allowed
dana allows r1 for the session: source
expect refused: not pending
expect count of grants: 1
claude cancels r2
expect count of grants: 0
shop answers 2 rows
claude looks at r1
expect seen: completed, 2 rows
