# Documents do not survive a restart
Open texts and who sees them are nowhere written down. After the restart the agent's connection is
there and no document is.
proves: H-1, S-3

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dbeast restarts
expect count of documents: 0
dana starts the server
claude begins a session
claude looks at the catalog
expect seen: nothing
claude reads bytes 0 to 5 of notes
expect refused: resource unavailable
