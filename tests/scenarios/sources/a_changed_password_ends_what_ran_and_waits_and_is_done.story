# A changed password ends what ran and waits and is done
Another account may see other things. Nothing that was asked, allowed or read under the old one goes
on; standing access is for the database and stays.
proves: G-4, R-6

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows
claude queries shop
    SELECT total FROM main.orders
claude requests shop
    vacuum
dana changes shop: password
expect r1 is revoked
expect r2 is revoked
expect r3 is revoked
expect effect: tell t2 to stop
shop answers 2 rows
claude looks at r2
expect seen: revoked
claude queries shop
    SELECT id FROM main.orders
expect started: r4
shop answers 2 rows
