# Revoking a connection in the middle of a write leaves a note for the person
The connection, its grants and its levels are gone for good. What was sent may have taken effect,
and the person reads how it ended.
proves: W-2, G-4, H-1

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
dana revokes claude
expect effect: tell t1 to stop
expect count of grants: 0
shop answers 0 rows
dana connects claude
dana shares shop with claude: ask
claude begins a session
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask
