# The activity list says who asked what of which database and what became of it
After the fact the list is all that the person has. Each entry names the connection, the session with the
agent's own words, the request, the database by both of its names, the tool, the exact text and why it might run.

given the server runs
dana adds shop for agents as "Orders"
dana connects claude
dana shares shop with claude: ask
claude begins a session, with the label "weekly report"
claude queries shop
    select 1 from main.orders
expect noted: request_submitted of "claude" in s1 called "weekly report" about r1 on "shop" as "Orders" by query_sql now pending sql "select 1 from main.orders"
dana allows r1
expect noted: request_started of "claude" in s1 called "weekly report" about r1 on "shop" as "Orders" by query_sql now running sql "select 1 from main.orders" because once
claude queries shop
    select 2 from main.orders
dana allows r2 for the session: table
expect noted: request_allowed of "claude" in s1 called "weekly report" about r2 on "shop" as "Orders" by query_sql now pending sql "select 2 from main.orders" because session_grant for table
shop fails: table_unknown, saying "no such table here"
expect noted: request_started of "claude" in s1 called "weekly report" about r2 on "shop" as "Orders" by query_sql now running sql "select 2 from main.orders" because session_grant
shop answers 1 row, main.orders is object 7
expect noted: request_completed of "claude" in s1 called "weekly report" about r2 on "shop" as "Orders" by query_sql now completed sql "select 2 from main.orders" because session_grant
dana takes back g2
expect noted: request_revoked of "claude" in s1 called "weekly report" about r2 on "shop" as "Orders" by query_sql now revoked sql "select 2 from main.orders" because session_grant
claude queries shop, refused by the text: second_statement
    select 1; select 2
expect noted: statement_refused of "claude" in s1 called "weekly report" on "shop" as "Orders" by query_sql sql "select 1; select 2" detail "Send exactly one statement; a second one never runs."
claude ends its session
expect noted: session_ended of "claude" in s1 called "weekly report" detail "ended by the agent"
