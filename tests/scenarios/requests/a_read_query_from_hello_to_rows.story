# A read query from hello to rows
The whole way once: the person starts the server, adds a database, connects an agent and shares the
database; the agent asks, the person allows, the database answers, the agent reads its rows.
proves: G-1, G-2, R-2, R-3

dana starts the server
dana adds shop
dana connects claude
dana shares shop with claude: ask
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask
claude queries shop
    SELECT id, total FROM main.orders WHERE total > 100
claude looks at r1
expect seen: pending, ask again in 1s
clock 7s
dana allows r1
expect started: r1
claude looks at r1
clock 40ms
shop answers 2 rows
claude looks at r1
expect seen: completed, 2 rows
claude ends its session
