# A queue of requests does not outrun a revocation
The agent queues as much as it may while the grant holds. When the grant is taken back, none of it
starts, however the slot becomes free.
proves: R-6, G-2

given claude works on shop: ask
claude requests shop
    select 1
dana allows r1 for the session: full_sql
claude requests shop 4 times
    insert into main.orders (total) values (1)
dana takes back g1
expect r5 is revoked
expect effect: tell t1 to stop
shop stops as told
expect started: nothing
expect count of grants: 0
claude requests shop
    insert into main.orders (total) values (1)
expect started: nothing
