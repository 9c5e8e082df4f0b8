# A decision one millisecond before the limit counts and at the limit does not
Five minutes are five minutes, whether the timer has rung yet or not.
proves: R-4, T-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
claude queries shop
    SELECT name FROM main.customers
clock 4m 59s 999ms
dana allows r1
expect started: r1
clock 1ms without the alarm
dana allows r2
expect refused: not pending
expect r2 is expired
shop answers 1 row
claude looks at r2
expect seen: expired: no decision in time
