# The public name of a session grants nothing
Session identifiers are shown in the activity list. Knowing one keeps nobody's session alive and opens
nothing.

given claude works on shop: read
given mallory works on shop: read
clock 19m
mallory uses s1
expect refused: session expired
mallory uses s999
expect refused: session expired
clock 1m
expect count of sessions: 0
