# No tool works with the session token of somebody else
Every tool checks the connection and the session together. A stolen token, one that never was and
one of an ended session are all the same nothing.
proves: R-1

given a document notes: "buy more coffee"
given claude works on shop: read_write
given claude sees notes
given eve works on shop: read_write
given eve sees notes
claude lists the tables of shop
shop answers 3 tables
eve requests shop, with the token of s1
    delete from main.orders
expect refused: session expired
eve reads bytes 0 to 5 of notes, with the token of s1
expect refused: session expired
eve describes main.orders of shop, with the token of nobody
expect refused: session expired
eve lists the tables of shop, with the token of s1
expect refused: session expired
eve cancels r1, with the token of s1
expect refused: session expired
eve looks at r1, with the token of s1
expect seen: refused: session expired
expect count of requests: 1
