# An edit that is too large changes nothing
The snapshot that agents see stays, and with it what was granted and read. The person is told that
agents do not see the newer text.
proves: R-6, L-1

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
dana edits notes: 5 MiB
expect refused: snapshot too large
claude reads bytes 5 to 15 of notes
expect started: r2
notes is handed out
claude looks at r1
expect seen: completed, 5 bytes
