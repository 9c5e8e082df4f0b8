# What was revoked does not come back with a restart
The vault is written after every change, so that a restart undoes no decision.
proves: H-1

given claude works on shop: read
given mallory works on shop: read
dana shares shop with claude: none
dana revokes mallory
dbeast restarts
dana starts the server
claude begins a session
claude looks at the catalog
expect seen: nothing
mallory begins a session
expect refused: session expired
