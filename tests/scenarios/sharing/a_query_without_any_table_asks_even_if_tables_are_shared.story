# A query without any table asks even if tables are shared
All of no tables are shared, as logic has it. But such a query is about something else, so levels of
tables do not cover it.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude queries shop
    SELECT 1
expect started: nothing
expect r1 is pending
