# A late answer to a cancelled query is never handed over
The database was faster than the order to stop. Its rows are dropped all the same.
proves: R-3, R-4

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude cancels r1
shop answers 2 rows
expect r1 is cancelled
expect slots taken: 0
claude looks at r1
expect seen: cancelled
shop answers 2 rows for t1
expect refused: late answer
