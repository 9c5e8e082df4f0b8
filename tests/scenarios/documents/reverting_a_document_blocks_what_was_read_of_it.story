# Reverting a document blocks what was read of it
The person throws the text away that the agent read or asked for. Also if the text on disk is the
same, what was asked before is over.
proves: R-6, G-4

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 5 to 10 of notes
dana reverts notes: "buy more coffee"
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
notes is handed out
claude looks at r2
expect seen: revoked
claude looks at the catalog
expect seen: f1 "Open document 1" text v2
claude reads bytes 0 to 5 of notes
expect started: nothing
