# A change of one database leaves the others alone
Grants, work and results are about their own database. That a session has several does not tie them
together.
proves: G-4, R-6

given claude works on shop: ask
given claude works on archive: ask
claude lists the tables of archive
dana allows r1 for the session: source
archive answers 3 tables
claude queries archive
    SELECT id FROM main.orders
dana changes shop: password
dana removes shop
expect count of grants: 1
expect r2 is running
archive answers 2 rows
claude looks at r1
expect seen: completed, 3 tables
