# Full SQL that is granted twice is one grant
Two statements waited, and the person chose the whole session for both. Taking it back once takes
all of it.
proves: G-3, R-6

given claude works on shop: ask
claude requests shop 3 times
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
dana allows r2 for the session: full_sql
expect count of grants: 1
shop is ready to send
shop answers 0 rows
dana takes back g2
expect count of grants: 0
expect r1 is completed_result_revoked
expect r2 is completed_result_revoked
expect r3 is pending
