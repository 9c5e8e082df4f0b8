# The request of another connection looks like no request
Mallory guesses identifiers. One that exists and one that does not give the same answer, so guessing
teaches nothing.
proves: R-1

given claude works on shop: ask
given mallory works on shop: ask
claude queries shop
    SELECT id FROM main.orders
mallory looks at r1
expect seen: refused: resource unavailable
mallory looks at r999
expect seen: refused: resource unavailable
mallory cancels r1
expect refused: resource unavailable
mallory cancels r999
expect refused: resource unavailable
expect r1 is pending
clock 10m
mallory cancels r1
expect refused: resource unavailable
mallory looks at r1
expect seen: refused: resource unavailable
