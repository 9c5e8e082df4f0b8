# A driver that says it does not know is believed even before the go-ahead
No go-ahead was given, so nothing should have been sent. If the driver is unsure all the same, the
worse of the two stories is told.
proves: R-4

given claude works on shop: ask
claude requests shop
    update main.orders set total = 0
dana allows r1
shop loses the connection
claude looks at r1
expect seen: outcome_unknown
