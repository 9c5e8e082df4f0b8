# Restoring brings nothing back that the person removed
Even before the server ran for the first time: what is gone is gone.

dana adds shop
dana connects claude
dana removes shop
dana revokes claude
dbeast restores again
expect refused: not at start
expect count of clients: 0
