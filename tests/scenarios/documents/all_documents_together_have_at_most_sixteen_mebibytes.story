# All documents together have at most sixteen mebibytes
Four of the largest ones fill it. Then nothing more can be opened and none can grow until another
one shrinks or closes.
proves: L-1

dana opens 4 documents: 4 MiB
dana opens notes: "one more"
expect refused: snapshots too large
dana edits document1: 4194303 bytes
dana opens notes: 1 byte
dana edits notes: 2 bytes
expect refused: snapshots too large
dana closes document2
dana edits notes: 2 bytes
expect answer: done
expect count of documents: 4
