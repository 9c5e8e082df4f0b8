# Revoking a connection takes its documents from it
Its entries go with it. A connection that is made afterwards under the same name sees what is shared
with all agents and nothing else.
proves: H-1

given a document notes: "buy more coffee"
given claude sees notes
claude reads bytes 0 to 5 of notes
dana allows r1
dana revokes claude
expect effect: tell t1 to stop
notes is handed out
dana connects claude
claude begins a session
claude looks at the catalog
expect seen: nothing
