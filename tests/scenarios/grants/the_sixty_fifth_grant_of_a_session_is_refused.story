# The sixty fifth grant of a session is refused
More grants than anybody reads through protect nobody. At the limit the same scope can still be granted again,
and a place becomes free when one is taken back.
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
