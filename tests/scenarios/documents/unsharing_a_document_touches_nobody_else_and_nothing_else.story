# Unsharing a document touches nobody else and nothing else
The person takes one document from one agent. What another agent has of it stays, and so does what
the first one has of another document and of a database.
proves: R-6, G-4

given claude works on shop: ask
given a document notes: "buy more coffee"
given a document diary: "dear diary, today"
given claude sees notes
given claude sees diary
given eve sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 0 to 5 of diary
dana allows r2 for the session: document
diary is handed out
claude reads main.orders of shop
dana allows r3 for the session: source
eve reads bytes 0 to 5 of notes
dana allows r4 for the session: document
notes is handed out
dana shares notes with claude: none
expect r1 is revoked
expect r2 is completed
expect r3 is running
shop answers 2 rows, main.orders is object 7
expect r3 is completed
expect r4 is completed
expect count of grants: 3
