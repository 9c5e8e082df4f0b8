# Narrowing a table of all agents hits every connection
Each of them loses what it has on the database, also the one whose own entry would still cover it.
proves: R-6, G-4

given claude works on shop: read
given eve works on shop: ask
dana shares shop with all agents: ask
dana shares main.orders of shop with all agents: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
eve lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
dana shares main.orders of shop with all agents: none
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
