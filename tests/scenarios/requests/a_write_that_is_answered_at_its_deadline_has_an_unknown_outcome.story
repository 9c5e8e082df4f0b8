# A write that is answered at its deadline has an unknown outcome
At 30 seconds sharp its time is over, also if the timer slept and the answer is there in the same
millisecond. The person still reads what the database said.
proves: W-2, R-4

given claude works on shop: read_write
claude requests shop
    delete from main.orders where id = 1
shop is ready to send
clock 29s 999ms without the alarm
shop answers 0 rows
expect r1 is completed
claude requests shop
    delete from main.orders where id = 2
shop is ready to send
clock 30s without the alarm
shop answers 0 rows
expect r2 is outcome_unknown
expect slots taken: 0
