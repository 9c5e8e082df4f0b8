# A write outside the rules asks with the words of the agent
A write of two tables, an upsert, a schema change: access to the table does not cover them. The
person sees the exact text, and that is what runs.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop
    insert into main.orders select * from main.refunds
expect started: nothing
claude looks at r1
expect seen: pending, ask again in 1s
dana allows r1
expect effect: run t1 for r1 at shop: run `insert into main.orders select * from main.refunds` within 30s
shop is ready to send
shop answers 0 rows
