# One thousand and twenty four tables are shared at most
Each entry has its own limit, and all of them together have one as well. It counts across databases
and connections.
proves: L-1

given 16 agents work on shop: ask
dana shares 64 tables of shop with each agent: read
dana shares shop with all agents: ask
dana shares main.orders of shop with all agents: read
expect refused: shared table limit
dana shares main.table1 of shop with agent1: none
dana shares main.orders of shop with all agents: read
agent2 queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 2 rows
