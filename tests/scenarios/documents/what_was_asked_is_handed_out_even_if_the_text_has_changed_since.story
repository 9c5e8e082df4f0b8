# What was asked is handed out even if the text has changed since
The prompt showed the text of that moment, and that is what the yes is about. What the person has
written since then is another snapshot.
proves: R-7

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 15 of notes
dana edits notes: "buy more coffee. My password is in the drawer."
expect r1 is pending
dana allows r1
expect effect: run t1 for r1: hand out bytes 0 to 15 of 15
notes is handed out
claude looks at r1
expect seen: completed, 15 bytes
