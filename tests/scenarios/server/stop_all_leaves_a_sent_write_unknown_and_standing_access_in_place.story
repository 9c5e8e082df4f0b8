# Stop all leaves a sent write unknown and standing access in place
Everything is told to stop at once and every session is over. What the person set for databases and
tables is not a session's and stays.
proves: W-2, S-3

given claude works on shop: ask
given eve works on shop: read
dana shares main.orders of shop with claude: read_write
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
shop is ready to send
eve queries shop
    SELECT id FROM main.orders
dana stops all
expect effect: tell t1 to stop
expect effect: tell t2 to stop
expect count of sessions: 0
shop answers 0 rows for t1
shop stops as told
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask main.orders=read_write
