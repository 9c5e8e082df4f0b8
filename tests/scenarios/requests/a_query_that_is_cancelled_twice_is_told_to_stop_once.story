# A query that is cancelled twice is told to stop once
Taking back what is already over is no error and changes nothing: the agent wanted it over.
proves: R-4

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
claude cancels r1
claude cancels r1
expect no effect
clock 30s
expect no effect
shop answers 2 rows
claude cancels r1
expect r1 is cancelled
