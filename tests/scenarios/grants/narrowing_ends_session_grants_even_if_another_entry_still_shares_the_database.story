# Narrowing ends session grants even if another entry still shares the database
All agents may still ask. But the person took something from this connection, and what they granted
to it before must not outlive that.
proves: G-4, R-6

given claude works on shop: ask
dana shares shop with all agents: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
dana shares shop with claude: none
expect count of grants: 0
expect r1 is revoked
claude lists the tables of shop
expect started: nothing
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask
