# A permission for one request does not ask which table it was before
A one-time permission is for the statement that the prompt showed. It stands on no earlier read, so
another table under that name is no surprise to it.
proves: G-2

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
shop answers 2 rows, main.orders is object 7
dana allows r2
shop answers 2 rows, main.orders is object 8
claude looks at r2
expect seen: completed, 2 rows
expect r1 is completed
