# Polling keeps a session alive
An agent that waits for the person only reads. Its reads are noted now and then, so that it is not
taken for gone.
proves: S-2

given claude works on shop: ask
clock 19m
claude uses s1
clock 19m
claude uses s1
clock 19m
expect count of sessions: 1
clock 1m
expect count of sessions: 0
claude uses s1
expect refused: session expired
