# Allowing an older snapshot for the session does not open the newer text
The prompt is about the text of before the edit. Even the widest yes that it takes reaches that
snapshot and no further.
proves: G-2

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana edits notes: "my password is coffee"
dana allows r1 for the session: document
notes is handed out
claude reads bytes 0 to 21 of notes
expect started: nothing
claude reads bytes 0 to 5 of notes, as it was in v1
expect refused: version changed
expect r2 is pending
