# A change of the text after the yes is another request
Full SQL shows one exact text. The same key with a text that differs in one character is a conflict,
and the text that was allowed is the one that runs.
proves: R-7, K-1

given claude works on shop: ask
claude requests shop, with key k1
    delete from main.orders where id = 1
claude requests shop, with key k1
    delete from main.orders where id > 1
expect refused: request conflict
dana allows r1
expect effect: run t1 for r1 at shop: run `delete from main.orders where id = 1` within 30s
claude requests shop, with key k1
    delete from main.orders where id > 1
expect refused: request conflict
shop is ready to send
shop answers 0 rows
