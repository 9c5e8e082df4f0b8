# Agents see of a document the alias that the person chose
A file name can say as much as its text. Without a chosen alias the document has a number; a chosen
one is what the person wants agents to know.

given the server runs
given an agent claude
dana opens dismissals 2026: "nobody yet"
dana opens plan for agents as "The plan": "to be written"
dana shares dismissals 2026 with all agents: ask
dana shares plan with claude: ask
claude looks at the catalog
expect seen: f1 "Open document 1" text v1, f2 "The plan" text v2
