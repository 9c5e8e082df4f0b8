# Every end of a session ends its grants
A grant is for one conversation. The same connection that begins again, or that was idle, asks like
one that was never here.
proves: G-4, S-3

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude begins a session
expect count of grants: 0
claude lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
clock 20m
expect count of grants: 0
claude begins a session
claude lists the tables of shop
expect started: nothing
