# Sharing a document further revokes nothing
More agents see it. What one of them has of it stays.
proves: R-6

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
dana shares notes with all agents: ask
dana shares notes with claude: ask
expect count of grants: 1
claude looks at r1
expect seen: completed, 5 bytes
