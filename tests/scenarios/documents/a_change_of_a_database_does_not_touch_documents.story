# A change of a database does not touch documents
What the agent has of a text stands on nothing but the text. Neither a new password nor a lower
level of a database takes it away.
proves: R-6, G-4

given a document notes: "buy more coffee"
given claude sees notes
given claude works on shop: read_write
claude reads bytes 0 to 5 of notes
dana allows r1 for the session: document
notes is handed out
dana changes shop: password
dana shares shop with claude: none
expect count of grants: 1
claude looks at r1
expect seen: completed, 5 bytes
