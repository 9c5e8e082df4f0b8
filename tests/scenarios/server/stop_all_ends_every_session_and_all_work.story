# Stop all ends every session and all work
One button for the person. The door stays open: agents may begin again, with nothing.
proves: S-1, G-1, T-1

given claude works on shop: ask
given cursor works on shop: read
claude queries shop 2 times
    SELECT id FROM main.orders
cursor queries shop
    SELECT id FROM main.orders
dana allows r1
dana stops all
expect effect: tell t1 to stop
expect effect: tell t2 to stop
expect count of sessions: 0
expect count of requests: 0
expect slots taken: 2
claude looks at r1
expect seen: refused: session expired
claude begins a session
dana allows r2
expect refused: unknown
shop answers 1 row
shop stops as told
expect started: nothing
