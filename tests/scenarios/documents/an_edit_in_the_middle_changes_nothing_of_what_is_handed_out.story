# An edit in the middle changes nothing of what is handed out
The text was taken when it was asked for. That the person goes on typing while it is on its way, or
afterwards, does not matter.
proves: R-6, R-7

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 15 of notes
dana allows r1
dana edits notes: "buy more tea than coffee"
notes is handed out
dana edits notes: "buy nothing"
claude looks at r1
expect seen: completed, 15 bytes
