# A document is handed out after the person said yes
Seeing a document in the catalog is no permission to read it. Each read is asked for and shows what
would be handed out.
proves: G-1, G-2

given a document notes: "buy more coffee for the office"
given claude sees notes
claude reads bytes 0 to 15 of notes
expect started: nothing
claude looks at r1
expect seen: pending, ask again in 1s
dana allows r1
expect started: r1
notes is handed out
claude looks at r1
expect seen: completed, 15 bytes
claude reads bytes 0 to 15 of notes
expect started: nothing
