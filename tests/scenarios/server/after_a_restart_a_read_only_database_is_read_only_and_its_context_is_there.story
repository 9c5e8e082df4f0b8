# After a restart a read-only database is read-only and its context is there
Both are part of the configuration. A restart is no way to write where nothing may be written.
proves: W-1

given claude works on shop: read_write
dana changes shop: context sales
dana changes shop: read-only
dana renames shop: "Sales" for agents as "Orders"
dbeast restarts
dana starts the server
claude begins a session
claude looks at the catalog
expect seen: src1 "Orders" sqlite read
claude requests shop
    delete from main.orders
expect refused: source read-only
claude queries shop
    SELECT id FROM main.orders
expect effect: run t1 for r1 at shop in sales: read within 30s
shop answers 2 rows
