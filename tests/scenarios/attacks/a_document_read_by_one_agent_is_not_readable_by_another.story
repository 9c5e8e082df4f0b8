# A document read by one agent is not readable by another
Both see the document. What was allowed and handed out belongs to the session that asked.
proves: R-1, G-2

given a document notes: "buy more coffee"
given claude sees notes
given eve sees notes
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
eve looks at r1
expect seen: refused: resource unavailable
eve cancels r1
expect refused: resource unavailable
eve reads bytes 0 to 5 of notes
expect started: nothing
