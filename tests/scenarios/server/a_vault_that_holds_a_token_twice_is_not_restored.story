# A vault that holds a token twice is not restored
Two connections with one token cannot be told apart. Nothing is taken over, rather than one of them by
chance.
proves: C-1

given claude works on shop: read
dbeast restarts from a vault that holds each connection twice
expect refused: identifier in use
expect count of clients: 0
expect count of sources: 0
