# Sharing tables and documents of what does not exist is refused
A page that is out of date may name a database, a document or a connection that is gone. Nothing is
kept for any of them.
proves: H-1

given an agent claude
given a database shop
given a document notes: "buy more coffee"
dana shares shop with claude: ask
dana shares main.orders of nowhere with claude: read
expect refused: unknown
dana revokes claude
dana shares main.orders of shop with claude: read
expect refused: unknown
dana shares notes with claude: ask
expect refused: unknown
dana closes notes
dana shares notes with all agents: ask
expect refused: unknown
dana edits notes: "buy more tea"
expect refused: unknown
dana reverts notes: "buy more tea"
expect refused: unknown
dana closes notes
expect refused: unknown
