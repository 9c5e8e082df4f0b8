# A snapshot has at most four mebibytes
The text of a document stays in memory as long as it is open. A larger one is refused, when it is
opened and when it is edited.
proves: L-1

dana opens notes: 4194304 bytes
expect count of documents: 1
dana opens diary: 4194305 bytes
expect refused: snapshot too large
dana edits notes: 4194305 bytes
expect refused: snapshot too large
expect count of documents: 1
