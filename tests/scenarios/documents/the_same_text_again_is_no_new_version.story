# The same text again is no new version
An editor reports changes that change nothing. The snapshot stays the one that was granted.
proves: G-2

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
dana edits notes: "buy more coffee"
expect no effect
claude reads bytes 5 to 10 of notes
expect started: r2
notes is handed out
claude looks at the catalog
expect seen: f1 "Open document 1" text v1
