# After a restart a server is where it was with its read lock
Place and read lock are part of the configuration, the password is not: it is in the keychain, and no
event ever holds it.

given claude works on shop: read
dana adds payroll on PostgreSQL
dana shares payroll with claude: read
dana changes payroll: weak read lock
dana changes payroll: password
dbeast restarts
dana starts the server
claude begins a session
claude queries payroll
    SELECT id FROM public.salaries
expect effect: run t1 for r1 at payroll: read within 30s, held by the weaker lock
payroll answers 2 rows
