# An estimate that comes too late changes nothing
It is no work of the session and nobody waits for it. What was decided, is over or is unknown takes none,
and nothing takes a second one.
proves: R-8, R-4

given claude works on shop: ask
claude requests shop, as a write of main.orders
    delete from main.orders
dbeast estimates r1: some rows, by "SCAN orders"
dbeast estimates r1: 2 rows, by "SCAN orders"
expect refused: late answer
claude cancels r1
dbeast estimates r1: 2 rows, by "SCAN orders"
expect refused: late answer
claude requests shop, as a write of main.orders
    delete from main.orders
dana allows r2
dbeast estimates r2: 2 rows, by "SCAN orders"
expect refused: late answer
dbeast estimates r9: 2 rows, by "SCAN orders"
expect refused: late answer
claude requests shop
    vacuum
expect no effect
dbeast estimates r3: 1 row, by "nothing asked for it"
expect refused: late answer
dana stops all
shop stops as told
