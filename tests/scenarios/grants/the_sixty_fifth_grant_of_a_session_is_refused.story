# The sixty fifth grant of a session is refused
More grants than anybody reads through protect nobody. The request goes on waiting, and a place
becomes free when the person takes another grant back.
proves: L-1, G-3

given claude works on shop: ask
given claude may read 64 tables of shop
claude queries shop
    SELECT id FROM main.orders
dana allows r65 for the session: table
expect refused: grant limit
expect r65 is pending
dana takes back g64
dana allows r65 for the session: table
expect started: r65
expect count of grants: 64
shop answers 2 rows, main.orders is object 7
