# Levels of tables survive a restart and session grants do not
The vault holds what the person set for good. What was allowed for a conversation was never written
down.
proves: S-3, H-1

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
dana shares shop with all agents: ask
dana shares main.customers of shop with all agents: read
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
dbeast restarts
expect count of grants: 0
dana starts the server
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.customers=read main.orders=read_write
claude lists the tables of shop
expect started: nothing
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect started: r3
shop is ready to send
shop answers 0 rows
