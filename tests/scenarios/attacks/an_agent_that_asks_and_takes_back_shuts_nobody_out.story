# An agent that asks and takes back shuts nobody out
Requests without a result are kept only as long as there is room for them: what is left of them says
all that there is to say. Filling the store with them costs others nothing.
proves: R-5

given claude works on shop: ask
given cursor works on shop: ask
claude queries shop 64 times, each taken back
    SELECT id FROM main.orders
expect count of requests: 64
cursor queries shop
    SELECT name FROM main.orders
expect answer: r65 new
claude looks at r1
expect seen: cancelled
dana allows r65
shop answers 2 rows
cursor looks at r65
expect seen: completed, 2 rows
