# Narrowing a table after its write was sent leaves an unknown outcome
The write may be done. Taking the level away now takes nothing back at the database.
proves: W-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
shop is ready to send
dana shares main.orders of shop with claude: none
expect r1 is outcome_unknown
expect effect: tell t1 to stop
shop answers 0 rows
claude looks at r1
expect seen: outcome_unknown
