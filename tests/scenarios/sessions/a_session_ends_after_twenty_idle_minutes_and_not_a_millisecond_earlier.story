# A session ends after twenty idle minutes and not a millisecond earlier
Nobody is there any more. Every call starts the twenty minutes anew.
proves: S-2

given claude works on shop: ask
clock 19m 59s 999ms
claude queries shop
    SELECT id FROM main.orders
clock 19m 59s 999ms
claude looks at r1
expect seen: expired: no decision in time
clock 1ms without the alarm
claude looks at r1
expect seen: refused: session expired
claude queries shop
    SELECT id FROM main.orders
expect refused: session expired
expect count of sessions: 0
