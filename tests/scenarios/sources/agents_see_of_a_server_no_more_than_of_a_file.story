# Agents see of a server no more than of a file
Host, port, account and the names of the person stay with the person. The generic alias tells the
engine, because agents have to write its dialect, and nothing else.

given the server runs
given an agent claude
dana adds payroll on PostgreSQL
dana adds shop
dana shares payroll with claude: ask
dana shares shop with claude: ask
claude begins a session
claude looks at the catalog
expect seen: src1 "PostgreSQL source 1" postgres ask, src2 "SQLite source 2" sqlite ask
claude queries payroll
    SELECT id FROM public.salaries
dana allows r1
expect effect: run t1 for r1 at payroll: read within 30s
payroll answers 2 rows
dana changes payroll: connection archive on PostgreSQL
expect r1 is revoked
