# An expired request is not asked again under its key
Nobody decided in five minutes. The same key still means the same intent, which is over.
proves: K-1

given claude works on shop: ask
claude queries shop, with key k1
    SELECT id FROM main.orders
clock 5m
expect r1 is expired
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
claude looks at r1
expect seen: expired: no decision in time
