# The fifth waiting request of a session is refused
An agent cannot bury the person in prompts. One decision, or one request taken back, makes room.
proves: R-5

given claude works on shop: ask
claude queries shop 4 times
    SELECT id FROM main.orders
claude queries shop
    SELECT id FROM main.orders
expect refused: session pending limit
claude cancels r2
claude queries shop
    SELECT id FROM main.orders
expect answer: r5 new
claude queries shop
    SELECT id FROM main.orders
expect refused: session pending limit
