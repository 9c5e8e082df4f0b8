# The hundred and twenty ninth document is refused
What is kept for agents is bounded. One that is closed makes room.
proves: L-1

dana opens 128 documents: 1 byte
expect count of documents: 128
dana opens notes: "one more"
expect refused: document limit
dana closes document7
dana opens notes: "one more"
expect count of documents: 128
