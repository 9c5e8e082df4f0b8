# After a restart nobody knows how a write ended
The program was gone when the database answered. The agent has a new session to begin, its key is
free again, and the rule that a write is not repeated is the agent's to keep.
proves: S-3

given claude works on shop: read_write
claude requests shop, with key k1
    insert into main.orders (total) values (1)
shop is ready to send
dbeast restarts
dana starts the server
claude looks at r1
expect seen: refused: session expired
claude begins a session
claude looks at r1
expect seen: refused: resource unavailable
expect count of keys: 0
expect count of activity: 2
