# Full SQL for the session is for its own database only
It is the widest that can be granted, and still about one database. The next one asks, for a
statement and for a read.
proves: G-2

given claude works on shop: ask
given claude works on payroll: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
claude requests payroll
    vacuum
expect started: nothing
claude queries payroll
    SELECT salary FROM main.employees
expect started: nothing
claude requests shop
    vacuum
expect started: r4
shop is ready to send
shop answers 0 rows
