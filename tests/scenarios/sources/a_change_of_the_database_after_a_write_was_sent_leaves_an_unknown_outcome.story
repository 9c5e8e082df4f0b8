# A change of the database after a write was sent leaves an unknown outcome
The write went to the old configuration. The new one says nothing about what became of it.
proves: W-2, R-6

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
shop answers 0 rows
claude requests shop
    delete from main.orders where id = 2
shop is ready to send
dana changes shop: unavailable
expect r1 is completed_result_revoked
expect r2 is outcome_unknown
shop loses the connection
claude looks at r2
expect seen: outcome_unknown
