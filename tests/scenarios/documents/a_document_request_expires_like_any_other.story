# A document request expires like any other
Five minutes without a decision are a no. The snapshot that it held is not handed out afterwards,
and its key stays used.
proves: K-1, T-2

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes, with key k1
clock 5m
expect r1 is expired
dana allows r1 for the session: document
expect refused: not pending
expect count of grants: 0
claude reads bytes 0 to 5 of notes, with key k1
expect answer: r1 again
expect started: nothing
claude looks at r1
expect seen: expired: no decision in time
