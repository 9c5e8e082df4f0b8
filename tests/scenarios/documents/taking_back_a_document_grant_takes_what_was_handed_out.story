# Taking back a document grant takes what was handed out
The agent may have read it already. What it has not fetched yet it does not get, and the rest of the
text asks again.
proves: R-6

given a document notes: "buy more coffee for the office"
given claude sees notes
claude reads bytes 0 to 15 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 15 to 30 of notes
dana takes back g1
expect effect: tell t2 to stop
expect r1 is revoked
notes is handed out
claude looks at r2
expect seen: revoked
claude reads bytes 15 to 30 of notes
expect started: nothing
