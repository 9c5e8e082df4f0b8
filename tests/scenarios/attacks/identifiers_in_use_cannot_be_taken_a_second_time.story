# Identifiers in use cannot be taken a second time
Should an identifier or a token ever come twice, the second one is refused and the first keeps what it
has.
proves: C-1, S-1

given claude works on shop: ask
given mallory works on shop: ask
claude queries shop
    SELECT id FROM main.orders
mallory queries shop, with the identifier r1
    SELECT id FROM main.orders
expect refused: identifier in use
mallory begins a session, with the token of s1
expect refused: identifier in use
dana connects eve with the token of claude
expect refused: identifier in use
dana connects claude
expect refused: identifier in use
dana adds shop
expect refused: identifier in use
expect r1 is pending
