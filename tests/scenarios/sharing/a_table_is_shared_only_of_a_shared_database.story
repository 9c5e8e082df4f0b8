# A table is shared only of a shared database
Without an entry for the database there is nothing to which a table could belong. The entry of all
agents is no entry of this connection.
proves: H-1

given an agent claude
given a database shop
dana shares main.orders of shop with claude: read
expect refused: unknown
dana shares shop with all agents: ask
dana shares main.orders of shop with claude: read
expect refused: unknown
dana shares main.orders of shop with all agents: read
expect answer: done
