# Restoring is only possible before anything else happened
What is in the vault must never replace what the person decided since.

given claude works on shop: read
dbeast restores again
expect refused: not at start
dana revokes claude
dana removes shop
dbeast restores again
expect refused: not at start
