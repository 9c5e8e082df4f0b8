# Stopping and starting does not reset the slots
What still works keeps its slot over any number of stops and starts.
proves: T-1

given 4 agents work on shop: read
everybody queries shop
    SELECT id FROM main.orders
expect slots taken: 4
dana stops the server
dana starts the server
expect slots taken: 4
agent1 begins a session
agent1 queries shop
    SELECT id FROM main.orders
expect started: nothing
shop stops as told
expect started: r5
shop stops as told
shop stops as told
shop stops as told
shop answers 1 row
