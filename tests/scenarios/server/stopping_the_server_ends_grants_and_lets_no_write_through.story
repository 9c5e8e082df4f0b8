# Stopping the server ends grants and lets no write through
The door is closed, and what was behind it is over. Starting again brings back no grant and no
go-ahead for what was getting ready.
proves: W-1, S-2, G-4

given claude works on shop: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
dana stops the server
expect count of grants: 0
dana starts the server
shop is ready to send
expect refused: late answer
shop stops as told
claude begins a session
claude requests shop
    vacuum
expect started: nothing
