# Ending a session cancels its work and drops its results
The agent says goodbye. Nothing of the conversation is kept, and only the database work holds its slot
until it has stopped.
proves: R-1, T-1

given claude works on shop: read
claude queries shop 2 times
    SELECT id FROM main.orders
claude ends its session
expect effect: tell t1 to stop
expect count of requests: 0
expect count of keys: 0
expect slots taken: 1
claude looks at r1
expect seen: refused: session expired
shop answers 2 rows
expect started: nothing
expect slots taken: 0
