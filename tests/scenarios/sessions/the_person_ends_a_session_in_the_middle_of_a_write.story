# The person ends a session in the middle of a write
What was not sent is not sent; the grants of the session are gone; the connection may begin again
and asks from the start.
proves: W-1, G-4

given claude works on shop: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
dana ends s1
expect effect: tell t1 to stop
expect count of grants: 0
shop is ready to send
expect refused: late answer
shop stops as told
claude begins a session
claude requests shop
    vacuum
expect started: nothing
