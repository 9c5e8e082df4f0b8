# Taking back the grant after a write was sent leaves an unknown outcome
The grant is gone at once and nothing more runs on it. The statement that is already at the database
may have taken effect, and the status says so.
proves: W-2, R-6

given claude works on shop: ask
claude requests shop
    create table notes (id integer)
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
claude requests shop
    drop table notes
shop is ready to send
claude requests shop
    drop table orders
dana takes back g1
expect r1 is completed_result_revoked
expect r2 is outcome_unknown
expect r3 is revoked
shop stops as told
expect started: nothing
