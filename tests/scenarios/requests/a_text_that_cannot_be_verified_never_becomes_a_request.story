# A text that cannot be verified never becomes a request
It is refused at once with its reason, asks nobody, uses up no key, and the person sees the attempt.

given claude works on shop: read
claude queries shop, with key k1, refused by the text: second_statement
    SELECT id FROM main.orders; DROP TABLE main.orders
expect refused: unsupported: second_statement
expect count of requests: 0
expect count of keys: 0
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r1 new
shop answers 1 row
