# A write that was sent and passes its deadline has an unknown outcome
After 30 seconds the database is told to stop. That is no promise that it stops, nor that it had not
finished just before.
proves: W-2, T-2

given claude works on shop: ask
claude requests shop
    update main.orders set total = total + 1
dana allows r1
shop is ready to send
clock 29s 999ms
expect r1 is running
clock 1ms
expect effect: tell t1 to stop
expect r1 is outcome_unknown
clock 10s
expect slots taken: 1
shop answers 0 rows
claude looks at r1
expect seen: outcome_unknown
