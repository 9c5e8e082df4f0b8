# A question from a recording is answered again
Written from a recording by `dbeast replay --story`. Names are made of labels, identifiers come in the order
in which they appear, and a result is only its digest.
recorded: 11 events

dbeast restores
dbeast notices vault_in_memory
dana starts the server on port 35289
clock 1s 492ms
dana adds Ledger
clock 180ms
dana connects Bookkeeper
clock 203ms
dana shares Ledger with Bookkeeper: ask
clock 1s 834ms
Bookkeeper begins a session, with the label "monthly report"
clock 192ms
Bookkeeper queries Ledger
    SELECT "id", "owner", "cents", "seal", "note"
    FROM "main"."ledger" AS "ledger"
    ORDER BY "id" ASC
    \table ["main","ledger"]
    \column ["main","ledger","cents"]
    \column ["main","ledger","id"]
    \column ["main","ledger","note"]
    \column ["main","ledger","owner"]
    \column ["main","ledger","seal"]
clock 1s 25ms
dana allows r1
clock 18ms
Ledger answers 523 bytes: d90073b77cf6d8a6472de16ae8e09fbd71ff1fb1ae2b48db9b49e0c5c69e3a9c for t1
clock 3ms
Bookkeeper uses s1
