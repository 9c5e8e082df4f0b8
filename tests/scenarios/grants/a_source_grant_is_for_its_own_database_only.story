# A source grant is for its own database only
Another database that is shared with the same agent keeps asking. It does not even matter that both
grants would be of one session.
proves: G-2

given claude works on shop: ask
given claude works on payroll: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude lists the tables of payroll
expect started: nothing
claude queries payroll
    SELECT salary FROM main.employees
expect started: nothing
