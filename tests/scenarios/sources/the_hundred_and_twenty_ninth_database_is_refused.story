# The hundred and twenty ninth database is refused
There is an end to everything that a list can hold. Removing one makes room.

dana adds 128 databases
dana adds shop
expect refused: source limit
expect count of sources: 128
dana removes database7
dana adds shop
expect count of sources: 128
