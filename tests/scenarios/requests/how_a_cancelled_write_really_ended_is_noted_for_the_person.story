# How a cancelled write really ended is noted for the person
The agent's status stays unknown: it gave the request up. The person reads in the list what the
database said in the end.
proves: W-2, T-3

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
claude cancels r1
shop answers 0 rows
expect slots taken: 0
expect r1 is outcome_unknown
claude requests shop
    delete from main.orders where id = 2
shop is ready to send
claude cancels r2
shop fails: execution_failed
claude looks at r2
expect seen: outcome_unknown
expect count of activity: 13
