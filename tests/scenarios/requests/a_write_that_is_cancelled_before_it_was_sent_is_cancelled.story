# A write that is cancelled before it was sent is cancelled
The database had not sent it yet, so nothing took effect, and the agent is told just that. When the
database then asks to send, nobody tells it to.
proves: W-1, R-2

given claude works on shop: ask
claude requests shop
    delete from main.orders
dana allows r1
claude cancels r1
expect effect: tell t1 to stop
expect r1 is cancelled
shop is ready to send
expect refused: late answer
expect no effect
shop stops as told
claude looks at r1
expect seen: cancelled
