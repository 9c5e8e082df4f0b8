# A late answer after the grant was taken back is not handed over
The database was told to stop and answered all the same. The answer frees its slot and is dropped.
proves: R-2, R-6, T-3

given claude works on shop: ask
claude requests shop
    SELECT id FROM main.orders
dana allows r1 for the session: full_sql
dana takes back g1
expect effect: tell t1 to stop
shop is ready to send
expect refused: late answer
shop answers 2 rows
expect slots taken: 0
claude looks at r1
expect seen: revoked
