# Standing access to read runs without a question
The person chose so beforehand. The activity list says on what the query stood.
proves: G-2

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 2 rows
claude looks at r1
expect seen: completed, 2 rows
