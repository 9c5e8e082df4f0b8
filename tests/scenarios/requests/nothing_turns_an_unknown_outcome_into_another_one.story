# Nothing turns an unknown outcome into another one
Cancelling again, taking the grant back, unsharing the database and the late answer itself: none of
them may suggest that the write was rolled back, or that its result can be had.
proves: W-2, R-4

given claude works on shop: ask
claude requests shop
    delete from main.orders
dana allows r1 for the session: full_sql
shop is ready to send
claude cancels r1
expect r1 is outcome_unknown
claude cancels r1
expect no effect
dana takes back g1
dana shares shop with claude: none
dana denies r1
expect refused: not pending
shop answers 0 rows
claude looks at r1
expect seen: outcome_unknown
