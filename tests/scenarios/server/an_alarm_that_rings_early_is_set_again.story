# An alarm that rings early is set again
A timer is no clock: it may wake a little before the time it was set to. The deadline must not be lost
for it.
proves: T-2, T-4

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
clock 4m 59s 998ms
alarm rings early
expect effect: set the alarm to +5m
clock 2ms
expect r1 is expired
