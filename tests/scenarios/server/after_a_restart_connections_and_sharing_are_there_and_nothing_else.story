# After a restart connections and sharing are there and nothing else
Sessions, permissions, requests and results were never written down. The agent's own connection still
opens the door, for a new session.
proves: S-2, H-1

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
dbeast restarts
expect count of clients: 1
expect count of sessions: 0
expect count of requests: 0
dana starts the server
claude looks at r1
expect seen: refused: session expired
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read
claude looks at r1
expect seen: refused: resource unavailable
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 1 row
