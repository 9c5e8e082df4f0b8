# A session that grows too old takes its grants and its sent writes with it
Two hours are the longest time, also for an agent that works on. What the person allowed for the
session is over with it.
proves: G-4, S-2, W-2

given claude works on shop: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 5m 50s
claude requests shop
    delete from main.orders
shop is ready to send
clock 10s
expect count of grants: 0
expect count of sessions: 0
shop answers 0 rows
