# A document keeps its alias through edits and a revert
The alias is what the person told agents. It belongs to the open document and not to a snapshot; a
document that is opened later gets another one.

given a document notes: "first text"
given claude sees notes
dana edits notes: "second text"
dana reverts notes: "first text"
claude looks at the catalog
expect seen: f1 "Open document 1" text v3
dana opens notes: "another text"
expect refused: identifier in use
dana closes notes
dana opens notes: "another text"
dana shares notes with claude: ask
claude looks at the catalog
expect seen: f1 "Open document 2" text v4
