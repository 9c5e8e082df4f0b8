# The same key finds its request of an older snapshot
The version is a part of the intent. The same range of another snapshot under the same key is a
conflict, and of the same one the same request.
proves: K-1, K-2

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes, with key k1
dana allows r1
notes is handed out
dana edits notes: "buy less coffee"
claude reads bytes 0 to 5 of notes, with key k1
expect refused: request conflict
claude reads bytes 0 to 5 of notes, as it was in v1, with key k1
expect answer: r1 again
expect started: nothing
