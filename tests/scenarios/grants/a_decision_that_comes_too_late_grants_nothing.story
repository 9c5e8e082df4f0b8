# A decision that comes too late grants nothing
The prompt was over when the click came. A grant for the session would have outlived the question
that it answered.
proves: G-2, T-2

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
claude cancels r2
clock 5m without the alarm
dana allows r1 for the session: table
expect refused: not pending
dana allows r2 for the session: table
expect refused: unknown
expect count of grants: 0
