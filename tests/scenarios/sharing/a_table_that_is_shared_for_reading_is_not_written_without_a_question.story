# A table that is shared for reading is not written without a question
Only `read_write` of that very table lets a write through. The question then shows the agent's own
words.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read
dana shares main.customers of shop with claude: read_write
claude requests shop, as a write of main.orders
    delete from main.orders where id = 1
expect started: nothing
dana allows r1
expect effect: run t1 for r1 at shop: run `delete from main.orders where id = 1` within 30s
shop is ready to send
shop answers 0 rows
