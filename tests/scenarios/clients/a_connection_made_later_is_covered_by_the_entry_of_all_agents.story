# A connection made later is covered by the entry of all agents
All agents means every connection, also ones that do not exist yet.

given claude works on shop: ask
dana shares shop with all agents: read
dana connects cursor
cursor begins a session
cursor queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 1 row
