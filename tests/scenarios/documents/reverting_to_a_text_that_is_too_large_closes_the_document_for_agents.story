# Reverting to a text that is too large closes the document for agents
Going back to the text on disk takes back what was read of the text before. That must hold also when the text on
disk is larger than agents may be given: then there is nothing left to share.

given a document notes: "the first words"
given claude sees notes
claude reads bytes 0 to 9 of notes
dana allows r1 for the session: document
notes is handed out
dana reverts notes: 5 MiB
expect answer: done
claude looks at r1
expect seen: revoked
claude looks at the catalog
expect seen: nothing
expect count of grants: 0
