# An unknown database looks like a foreign one to every tool
Whoever guesses identifiers learns nothing: what does not exist and what is not shared are the same,
whatever is asked of it.

given claude works on shop: read_write
dana adds payroll
claude requests payroll
    delete from main.employees
expect refused: resource unavailable
claude requests nowhere, as a write of main.employees
    delete from main.employees
expect refused: resource unavailable
claude lists the tables of payroll
expect refused: resource unavailable
claude describes main.employees of nowhere
expect refused: resource unavailable
claude reads main.employees of payroll
expect refused: resource unavailable
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite read_write
