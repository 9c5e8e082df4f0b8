# A database that becomes read-only ends the writes on it
What waits is revoked, what was not sent is not sent, and what was sent has an unknown outcome. What
took effect before stays said.
proves: W-1, W-2, R-6

given claude works on shop: read_write
given eve works on shop: ask
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
shop answers 0 rows
claude requests shop
    delete from main.orders where id = 2
shop is ready to send
eve requests shop 2 times
    delete from main.orders where id = 3
dana allows r3 for the session: full_sql
dana changes shop: read-only
expect r1 is completed_result_revoked
expect r2 is outcome_unknown
expect r3 is revoked
expect r4 is revoked
expect count of grants: 0
shop is ready to send for t3
expect refused: late answer
shop stops as told
shop stops as told
