# Handing out a document waits for its turn
It takes the slot of its session like any other work. The person's yes is used up when it starts.
proves: T-1, G-1

given a document notes: "buy more coffee"
given claude sees notes
given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude reads bytes 0 to 5 of notes
dana allows r2
expect started: nothing
expect count of grants: 1
shop answers 2 rows
expect started: r2
expect count of grants: 0
notes is handed out
claude looks at r2
expect seen: completed, 5 bytes
