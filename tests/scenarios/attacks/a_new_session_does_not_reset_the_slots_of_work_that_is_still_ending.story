# A new session does not reset the slots of work that is still ending
Claude floods the databases, throws its session away and begins a new one. What still works keeps its
slot, so the four slots of all stay four.
proves: T-1

given 3 agents work on shop: read
everybody queries shop
    SELECT id FROM main.orders
given claude works on archive: read
claude queries archive
    SELECT id FROM main.orders
expect slots taken: 4
claude begins a session
expect effect: tell t4 to stop
claude queries archive
    SELECT id FROM main.orders
expect started: nothing
claude begins a session
claude queries archive
    SELECT id FROM main.orders
expect started: nothing
expect slots taken: 4
archive stops as told
expect started: r6
archive answers 1 row
shop answers 1 row
shop answers 1 row
shop answers 1 row
