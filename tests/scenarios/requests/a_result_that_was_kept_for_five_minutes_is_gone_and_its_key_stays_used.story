# A result that was kept for five minutes is gone and its key stays used
Results live five minutes after they came. What is left is enough to say so and to refuse a second
run, and holds no data.
proves: K-1

given claude works on shop: read
claude queries shop, with key k1
    SELECT id FROM main.orders
shop answers 2 rows
clock 4m 59s 999ms
claude looks at r1
expect seen: completed, 2 rows
clock 1ms
expect r1 is result_expired
claude looks at r1
expect seen: result_expired
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 again
expect started: nothing
claude cancels r1
expect r1 is result_expired
expect count of tombstones: 1
