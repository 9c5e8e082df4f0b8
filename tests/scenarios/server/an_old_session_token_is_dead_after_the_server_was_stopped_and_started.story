# An old session token is dead after the server was stopped and started
While the door is closed nothing answers. The next opening is another generation.
proves: S-2

given claude works on shop: read
dana stops the server
expect count of sessions: 0
claude queries shop
    SELECT id FROM main.orders
expect refused: server stopped
claude begins a session
expect refused: server stopped
claude looks at r1
expect seen: refused: server stopped
dana stops the server
expect refused: server stopped
dana starts the server
claude queries shop
    SELECT id FROM main.orders
expect refused: session expired
claude begins a session
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 1 row
