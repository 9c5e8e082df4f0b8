# A write that completed and was revoked says that it took effect
What is taken away is the result, not the write. The agent must not believe that the data is as it
was.
proves: R-4, R-6

given claude works on shop: read_write
claude requests shop
    delete from main.orders
shop is ready to send
shop answers 0 rows
dana shares shop with claude: none
expect r1 is completed_result_revoked
claude looks at r1
expect seen: completed_result_revoked
claude cancels r1
claude looks at r1
expect seen: completed_result_revoked
