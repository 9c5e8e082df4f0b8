# A snapshot that is gone cannot be asked for
The agent names the version that it means. If the text has changed, it is told so and has to look at
the catalog again.

given a document notes: "first text"
given claude sees notes
dana edits notes: "second text"
claude reads bytes 0 to 5 of notes, as it was in v1
expect refused: version changed
claude reads bytes 0 to 5 of notes, as it was in v3
expect refused: version changed
claude reads bytes 0 to 5 of notes
expect answer: r1 new
claude looks at the catalog
expect seen: f1 "Open document 1" text v2
