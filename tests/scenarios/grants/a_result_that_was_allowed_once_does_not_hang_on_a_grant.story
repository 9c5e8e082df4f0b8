# A result that was allowed once does not hang on a grant
The person allowed this request by itself. A grant that came and went beside it was never what it
stood on.
proves: R-6

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
shop answers 2 rows, main.orders is object 7
dana allows r2 for the session: table
shop answers 2 rows, main.orders is object 7
dana takes back g2
expect r2 is revoked
claude looks at r1
expect seen: completed, 2 rows
