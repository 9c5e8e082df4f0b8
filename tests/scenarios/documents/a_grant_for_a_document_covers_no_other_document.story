# A grant for a document covers no other document
Both are open and shared with the same session. The person approved the text of one of them.
proves: G-2

given a document notes: "buy more coffee"
given a document diary: "dear diary, today"
given claude sees notes
given claude sees diary
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: table
expect refused: scope does not fit
dana allows r1 for the session: full_sql
expect refused: scope does not fit
dana allows r1 for the session: document
notes is handed out
claude reads bytes 0 to 5 of diary
expect started: nothing
expect r2 is pending
