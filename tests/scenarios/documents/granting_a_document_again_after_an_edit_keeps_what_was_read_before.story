# Granting a document again after an edit keeps what was read before
The person trusts the agent with the text of today as well. The grant for the snapshot of yesterday
is another one: giving more takes nothing away, and each can be taken back.
proves: G-3, R-6

given a document notes: "first text of the notes"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
dana edits notes: "second text of the notes"
claude reads bytes 0 to 6 of notes
expect started: nothing
dana allows r2 for the session: document
notes is handed out
claude looks at r1
expect seen: completed, 5 bytes
claude looks at r2
expect seen: completed, 6 bytes
dana takes back g2
expect r2 is revoked
expect r1 is completed
dana takes back g1
expect r1 is revoked
