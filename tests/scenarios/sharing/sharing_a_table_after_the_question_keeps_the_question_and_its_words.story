# Sharing a table after the question keeps the question and its words
The prompt shows the agent's own text, so that is what a yes lets run. A text that was never shown
does not take its place behind the person's back.
proves: R-7

given claude works on shop: ask
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
dana shares main.orders of shop with claude: read_write
expect r1 is pending
dana allows r1
expect effect: run t1 for r1 at shop: run `delete from main.orders where id = 1` within 30s
shop is ready to send
shop answers 0 rows
