# A clock that runs backwards revives nothing
The system clock is set back by an hour after a request has expired. What is over stays over.
proves: R-4, S-2

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
clock 5m
clock back 1h
dana allows r1
expect refused: not pending
claude looks at r1
expect seen: expired: no decision in time
claude queries shop
    SELECT id FROM main.orders
clock 1h
clock 5m
expect r2 is expired
