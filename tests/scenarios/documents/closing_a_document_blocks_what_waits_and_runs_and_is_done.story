# Closing a document blocks what waits and runs and is done
When the text is closed, agents have nothing of it any more, also what lay ready for them. Opened
again it is shared with nobody.
proves: R-6, G-4, H-1

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 5 to 10 of notes
claude reads bytes 10 to 15 of notes
dana closes notes
expect r1 is revoked
expect r2 is revoked
expect r3 is revoked
expect count of grants: 0
notes is handed out
claude looks at r2
expect seen: revoked
dana opens notes: "buy more coffee"
claude looks at the catalog
expect seen: nothing
claude reads bytes 0 to 5 of notes
expect refused: resource unavailable
