# The seventeenth connection is refused
Each bearer token is compared with all of them, so their number has an end.
proves: C-1

given 16 agents work on shop: ask
dana connects claude
expect refused: client limit
dana revokes agent3
dana connects claude
expect count of clients: 16
claude begins a session
expect count of sessions: 16
