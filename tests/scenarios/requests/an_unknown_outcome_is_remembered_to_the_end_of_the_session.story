# An unknown outcome is remembered to the end of the session
After five minutes only what is left of a request is kept. An unknown outcome stays unknown, a
withheld result stays withheld, and neither becomes a result that merely expired.
proves: R-4, K-1

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
claude cancels r1
shop stops as told
claude requests shop
    delete from main.orders where id = 2
shop is ready to send
shop answers 0 rows
dana shares shop with claude: none
clock 5m
expect count of tombstones: 2
claude looks at r1
expect seen: outcome_unknown
claude looks at r2
expect seen: completed_result_revoked
claude cancels r1
claude looks at r1
expect seen: outcome_unknown
