# Starting again while it runs ends every session
A new port is a new door. Nobody is carried over.
proves: S-1

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
dana starts the server
expect effect: tell t1 to stop
claude looks at r1
expect seen: refused: session expired
shop stops as told
