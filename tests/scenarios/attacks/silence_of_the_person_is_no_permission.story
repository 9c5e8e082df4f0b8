# Silence of the person is no permission
The agent asks, waits out the five minutes, asks again under a fresh key, and again. Nothing ever runs.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT card_number FROM main.customers
clock 5m
claude queries shop
    SELECT card_number FROM main.customers
clock 5m
expect started: nothing
claude queries shop
    SELECT card_number FROM main.customers
clock 5m
claude looks at r3
expect seen: expired: no decision in time
