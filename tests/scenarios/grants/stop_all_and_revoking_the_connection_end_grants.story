# Stop all and revoking the connection end grants
Both are meant to stop everything now. Nothing of what was allowed for the conversation is left, and
the work on it is told to stop.
proves: G-4

given claude works on shop: ask
given eve works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
eve lists the tables of shop
dana allows r2 for the session: source
dana revokes eve
expect effect: tell t2 to stop
expect count of grants: 1
dana stops all
expect count of grants: 0
claude begins a session
claude lists the tables of shop
expect started: nothing
shop stops as told
