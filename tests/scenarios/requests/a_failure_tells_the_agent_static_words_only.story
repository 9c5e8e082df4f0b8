# A failure tells the agent static words only
What the driver says may hold a path, a user or data. The agent reads a word of ours, the person reads
both.
proves: R-3

given claude works on shop: read
claude queries shop
    SELECT id FROM main.no_such_table
shop fails: table_unknown, saying "no such table: /home/dana/shop.db no_such_table"
claude looks at r1
expect seen: failed: table_unknown
claude lists the tables of shop
shop fails: source_locked
claude looks at r2
expect seen: failed: source_locked
