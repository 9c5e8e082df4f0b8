# A session ends after two hours however busy it is
A token that leaked is useful no longer. What runs is told to stop, what waits is over.
proves: S-2, R-1

given claude works on shop: read
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 5m 59s 999ms
claude queries shop 2 times
    SELECT id FROM main.orders
expect started: r1
clock 1ms
expect effect: tell t1 to stop
expect count of sessions: 0
claude looks at r1
expect seen: refused: session expired
shop stops as told
expect started: nothing
