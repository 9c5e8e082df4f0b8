# The same request key with other arguments is a conflict
A key stands for one intent. An agent that changes the text or the database under a used key is told
so; neither text runs.
proves: K-1

given claude works on shop: ask
given claude works on archive: ask
claude queries shop, with key k1
    SELECT id FROM main.orders
claude queries shop, with key k1
    SELECT id, card_number FROM main.orders
expect refused: request conflict
claude queries archive, with key k1
    SELECT id FROM main.orders
expect refused: request conflict
claude lists the tables of shop, with key k1
expect refused: request conflict
expect count of requests: 1
