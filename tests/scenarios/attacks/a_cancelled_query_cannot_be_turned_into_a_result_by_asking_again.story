# A cancelled query cannot be turned into a result by asking again
The same key after cancelling gives the cancelled request, and the rows that come late belong to it.
proves: K-1, R-4

given claude works on shop: read
claude queries shop, with key k1
    SELECT id FROM main.orders
claude cancels r1
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
expect started: nothing
shop answers 2 rows
claude queries shop, with key k1
    SELECT id FROM main.orders
expect r1 is cancelled
claude looks at r1
expect seen: cancelled
