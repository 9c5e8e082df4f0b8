# A document that is not shared looks like none
Neither its existence nor its version can be found out. That the version was right does not help.

given a document notes: "buy more coffee"
given a document diary: "dear diary, today"
given claude sees notes
claude reads bytes 0 to 5 of diary
expect refused: resource unavailable
claude reads bytes 0 to 5 of diary, as it was in v2
expect refused: resource unavailable
claude reads bytes 0 to 5 of nothing
expect refused: resource unavailable
claude reads bytes 0 to 5 of nothing, as it was in v2
expect refused: resource unavailable
expect count of requests: 0
