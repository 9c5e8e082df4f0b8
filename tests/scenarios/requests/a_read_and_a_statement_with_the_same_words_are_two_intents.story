# A read and a statement with the same words are two intents
The tool is a part of the intent. A key that was used for the strict reader does not open the way to
Full SQL, nor the other way round.
proves: K-1

given claude works on shop: read_write
claude queries shop, with key k1
    SELECT id FROM main.orders
shop answers 2 rows
claude requests shop, with key k1
    SELECT id FROM main.orders
expect refused: request conflict
claude requests shop, with key k2
    SELECT id FROM main.orders
shop is ready to send
shop answers 2 rows
claude queries shop, with key k2
    SELECT id FROM main.orders
expect refused: request conflict
