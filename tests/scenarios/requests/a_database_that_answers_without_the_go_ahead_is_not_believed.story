# A database that answers without the go-ahead is not believed
It was never told to send and claims to be done. Whatever it did is not what was allowed, so no
result is handed over and the outcome is unknown.
proves: W-1, R-3

given claude works on shop: ask
claude requests shop
    delete from main.orders
dana allows r1
shop answers 0 rows
expect slots taken: 0
claude looks at r1
expect seen: outcome_unknown
