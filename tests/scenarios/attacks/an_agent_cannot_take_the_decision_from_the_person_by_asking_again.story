# An agent cannot take the decision from the person by asking again
Cancelling and asking anew under another key is a new prompt. The grant that the person gave for one
table does not grow by repetition.
proves: G-2

given claude works on shop: ask
claude requests shop
    drop table orders
dana denies r1: "No. Never."
claude requests shop
    drop table orders
claude cancels r2
claude requests shop
    drop table orders
expect started: nothing
dana allows r2 for the session: full_sql
expect refused: not pending
expect count of grants: 0
