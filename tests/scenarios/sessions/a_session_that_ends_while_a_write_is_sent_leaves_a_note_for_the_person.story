# A session that ends while a write is sent leaves a note for the person
Its requests are gone with it, and no agent can ask how the write ended. The person finds both in
the list: that the outcome was unknown, and what the database said later.
proves: W-2, S-3

given claude works on shop: read_write
claude requests shop
    delete from main.orders
shop is ready to send
claude ends its session
expect effect: tell t1 to stop
expect r1 is gone
expect slots taken: 1
expect count of activity: 9
shop answers 0 rows
expect count of activity: 10
claude begins a session
claude looks at r1
expect seen: refused: resource unavailable
