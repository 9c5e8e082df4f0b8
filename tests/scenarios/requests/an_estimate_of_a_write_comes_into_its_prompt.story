# An estimate of a write comes into its prompt
The person sees what the database expects of a write, marked as an estimate. The prompt does not wait for
it, agents never see it, and it goes with the decision.
proves: R-8, R-7

given claude works on shop: ask
claude requests shop, as a write of main.orders
    delete from main.orders where id < 8
expect effect: estimate r1 at shop: `DELETE FROM MAIN.ORDERS WHERE ID < 8`
expect slots taken: 0
dbeast estimates r1: 7 rows, by "Delete on orders, Seq Scan"
expect r1 is pending
expect slots taken: 0
claude looks at r1
expect seen: pending, ask again in 1s
dana allows r1
expect effect: run t1 for r1 at shop: run `delete from main.orders where id < 8` within 30s
shop is ready to send
shop answers 0 rows
claude looks at r1
expect seen: completed, 0 rows
