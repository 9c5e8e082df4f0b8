# Sharing what does not exist is refused
A page that was open for long may still show a database or an agent that is gone.
proves: H-1

given claude works on shop: ask
dana shares nowhere with claude: read
expect refused: unknown
dana removes shop
dana shares shop with claude: read
expect refused: unknown
dana revokes claude
dana adds shop
dana shares shop with claude: read
expect refused: unknown
dana removes nowhere
expect refused: unknown
