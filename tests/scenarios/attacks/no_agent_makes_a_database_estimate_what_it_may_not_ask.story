# No agent makes a database estimate what it may not ask
An estimate is asked for only of a waiting write of one table on a visible source that takes writes. What
runs without a question, what is no such write and what is refused asks the database nothing.
proves: R-8

given claude works on shop: ask
dana adds archive read-only
dana shares archive with claude: ask
dana adds payroll
claude requests archive, as a write of main.orders
    delete from main.orders
expect no effect
claude requests payroll, as a write of main.orders
    delete from main.orders
expect refused: resource unavailable
expect no effect
dana shares main.orders of shop with claude: read_write
claude requests shop, as a write of main.orders
    delete from main.orders
expect effect: run t1 for r1 at shop: write `DELETE FROM MAIN.ORDERS` within 30s
shop is ready to send
shop answers 0 rows
