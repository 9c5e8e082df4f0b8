# Unsharing a document takes its text back
Even if another entry still shares it: the person took it from this audience. What was allowed
before does not outlive that.
proves: R-6, G-4

given a document notes: "buy more coffee"
given claude sees notes
dana shares notes with all agents: ask
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 5 to 10 of notes
dana shares notes with claude: none
expect r1 is revoked
expect r2 is revoked
expect count of grants: 0
notes is handed out
claude looks at the catalog
expect seen: f1 "Open document 1" text v1
dana shares notes with all agents: none
claude looks at the catalog
expect seen: nothing
