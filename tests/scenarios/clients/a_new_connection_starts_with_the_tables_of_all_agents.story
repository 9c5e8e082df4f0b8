# A new connection starts with the tables of all agents
What is shared with all agents is shared with those who come later. Levels that were for one
connection are not.
proves: H-1

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
dana shares shop with all agents: ask
dana shares main.customers of shop with all agents: read
dana connects eve
eve begins a session
eve looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.customers=read
eve requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect started: nothing
