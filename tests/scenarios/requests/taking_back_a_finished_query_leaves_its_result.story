# Taking back a finished query leaves its result
Cancelling blocks what is open. A result that was handed over once may be read again.
proves: R-4

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
claude cancels r1
expect answer: r1 again
claude looks at r1
expect seen: completed, 2 rows
