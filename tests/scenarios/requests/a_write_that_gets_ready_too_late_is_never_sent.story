# A write that gets ready too late is never sent
The database took its time to connect. At the deadline the request expires, and being ready a moment
later changes nothing, also when the timer slept.
proves: W-1

given claude works on shop: read_write
claude requests shop
    update main.orders set total = total + 1
clock 30s
expect r1 is expired
shop is ready to send
expect refused: late answer
shop stops as told
claude requests shop
    update main.orders set total = total + 1
clock 30s without the alarm
shop is ready to send
expect refused: late answer
expect effect: tell t2 to stop
expect r2 is expired
shop stops as told
