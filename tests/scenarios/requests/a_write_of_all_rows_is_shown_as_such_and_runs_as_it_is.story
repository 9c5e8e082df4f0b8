# A write of all rows is shown as such and runs as it is
A statement without a condition changes every row. DBeast says so beside the text; what runs is what
was shown.
proves: R-7

given claude works on shop: ask
claude requests shop, as a write of main.orders, of all rows
    update main.orders set total = 0
expect started: nothing
dana allows r1
expect effect: run t1 for r1 at shop: run `update main.orders set total = 0` within 30s
shop is ready to send
shop answers 0 rows
