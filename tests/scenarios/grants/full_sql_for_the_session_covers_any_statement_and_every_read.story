# Full SQL for the session covers any statement and every read
Who may run any statement may also read: a verified read could be sent as one. Each still goes its
own way, the read through the strict reader and the statement through the go-ahead.
proves: G-2, W-1

given claude works on shop: ask
claude requests shop
    create table notes (id integer)
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
claude requests shop
    drop table notes
expect effect: run t2 for r2 at shop: run `drop table notes` within 30s
shop is ready to send
expect effect: let t2 send its statement
shop answers 0 rows
claude queries shop
    SELECT id FROM main.orders
expect effect: run t3 for r3 at shop: read within 30s
shop answers 2 rows
claude lists the tables of shop
expect started: r4
shop answers 3 tables
