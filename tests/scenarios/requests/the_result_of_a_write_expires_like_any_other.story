# The result of a write expires like any other
The write took effect and its result was there to be fetched for five minutes. The status afterwards
says that there was a result.
proves: R-4

given claude works on shop: read_write
claude requests shop
    delete from main.orders
shop is ready to send
shop answers 0 rows
clock 4m 59s 999ms
claude looks at r1
expect seen: completed, 0 rows
clock 1ms
claude looks at r1
expect seen: result_expired
dana shares shop with claude: none
claude looks at r1
expect seen: result_expired
