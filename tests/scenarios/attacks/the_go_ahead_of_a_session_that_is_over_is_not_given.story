# The go-ahead of a session that is over is not given
The agent began again, or the person ended the session, while the database was getting ready. Being
ready finds nobody who may send.
proves: W-1, S-3

given claude works on shop: read_write
claude requests shop
    delete from main.orders
claude begins a session
shop is ready to send
expect refused: late answer
expect no effect
shop stops as told
claude requests shop
    delete from main.orders
dana ends s2
shop is ready to send
expect refused: late answer
shop answers 0 rows
expect slots taken: 0
