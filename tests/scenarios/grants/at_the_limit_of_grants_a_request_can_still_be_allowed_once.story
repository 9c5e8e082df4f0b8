# At the limit of grants a request can still be allowed once
The limit is there so that the person can read through what an agent may do. A single yes is used up
at once and is no such thing.
proves: L-1, G-1

given claude works on shop: ask
given claude may read 64 tables of shop
claude queries shop
    SELECT id FROM main.orders
dana allows r65
expect started: r65
expect count of grants: 64
shop answers 2 rows
claude looks at r65
expect seen: completed, 2 rows
