# What an agent reads at the limit is right even if the timer sleeps
Reading changes nothing, so it cannot wait for a timer. It says what holds at that moment.

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
clock 4m 59s 999ms without the alarm
claude looks at r1
expect seen: pending, ask again in 1s
clock 1ms without the alarm
claude looks at r1
expect seen: expired: no decision in time
clock 1ms
expect r1 is expired
