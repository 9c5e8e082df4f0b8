# Agents see an alias that says nothing
Unless the person chooses the words, the name and the place of a database stay with them. No two
databases share a generic alias.

dana connects claude
given the server runs
dana adds payroll_2026
dana adds shop for agents as "SQLite source 2"
dana adds archive
dana shares payroll_2026 with all agents: ask
dana shares shop with all agents: read
dana shares archive with all agents: ask
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask, src2 "SQLite source 2" sqlite read, src3 "SQLite source 3" sqlite ask
