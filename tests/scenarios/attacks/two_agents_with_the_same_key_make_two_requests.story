# Two agents with the same key make two requests
A key is an intent of one session. That another agent has used the same one neither answers nor
blocks anything.
proves: K-1, K-2

given claude works on shop: read_write
given eve works on shop: read_write
claude requests shop, with key k1
    delete from main.orders where id = 1
eve requests shop, with key k1
    delete from main.orders where id = 1
expect answer: r2 new
expect started: r2
shop is ready to send for t1
shop answers 0 rows for t1
shop is ready to send for t2
shop answers 0 rows for t2
eve looks at r1
expect seen: refused: resource unavailable
