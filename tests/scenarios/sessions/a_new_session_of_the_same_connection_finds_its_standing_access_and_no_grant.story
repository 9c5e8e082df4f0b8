# A new session of the same connection finds its standing access and no grant
Levels of databases and tables are the connection's, grants were the conversation's. Keys and
requests begin anew as well.
proves: S-3, G-4

given claude works on shop: ask
dana shares main.orders of shop with claude: read
claude lists the tables of shop, with key k9
dana allows r1 for the session: source
shop answers 3 tables
claude begins a session
claude queries shop
    SELECT id FROM main.orders
expect started: r2
shop answers 2 rows
claude lists the tables of shop, with key k9
expect answer: r3 new
expect started: nothing
