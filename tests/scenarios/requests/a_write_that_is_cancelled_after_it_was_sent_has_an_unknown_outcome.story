# A write that is cancelled after it was sent has an unknown outcome
The statement is at the database. Nobody can say whether the interruption came in time, and DBeast
does not pretend to know.
proves: W-2, R-4

given claude works on shop: ask
claude requests shop
    delete from main.orders
dana allows r1
shop is ready to send
claude cancels r1
expect effect: tell t1 to stop
expect r1 is outcome_unknown
expect slots taken: 1
shop stops as told
claude looks at r1
expect seen: outcome_unknown
