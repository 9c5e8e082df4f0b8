# A grant for a document covers one snapshot
All ranges of the text that the person approved, and nothing that is written later. A text that is
changed back is a later one as well.
proves: G-2, G-4

given a document notes: "buy more coffee for the office"
given claude sees notes
claude reads bytes 0 to 15 of notes
dana allows r1 for the session: document
notes is handed out
claude reads bytes 15 to 30 of notes
expect started: r2
notes is handed out
dana edits notes: "the coffee is too expensive"
claude reads bytes 0 to 15 of notes
expect started: nothing
dana edits notes: "buy more coffee for the office"
claude reads bytes 0 to 15 of notes
expect started: nothing
claude looks at r1
expect seen: completed, 15 bytes
