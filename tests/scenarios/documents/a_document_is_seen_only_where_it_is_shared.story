# A document is seen only where it is shared
Opening a text shares it with nobody. The agent that it is shared with sees an alias, a kind and a
version, and no other agent sees even that.
proves: H-1

given the server runs
given an agent claude
given an agent eve
given a document payroll.sql: "select name, salary from employees"
claude looks at the catalog
expect seen: nothing
dana shares payroll.sql with claude: ask
claude looks at the catalog
expect seen: f1 "Open document 1" sql v1
eve looks at the catalog
expect seen: nothing
