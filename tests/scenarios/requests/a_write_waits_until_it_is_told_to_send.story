# A write waits until it is told to send
Full SQL starts, gets everything ready and asks before it sends. The go-ahead is given in one step
with the last check, so it is always known whether anything can have taken effect.
proves: W-1, R-4

given claude works on shop: ask
claude requests shop
    update main.orders set total = 0
expect started: nothing
dana allows r1
expect effect: run t1 for r1 at shop: run `update main.orders set total = 0` within 30s
shop is ready to send
expect effect: let t1 send its statement
clock 2s
shop answers 0 rows
claude looks at r1
expect seen: completed, 0 rows
