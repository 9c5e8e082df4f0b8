# A write that ran without the go-ahead is noted even after it was cancelled
The agent took it back before it was sent, and so it reads. But the database says that it did
something all the same, and the person has to know that.
proves: W-1

given claude works on shop: read_write
claude requests shop
    delete from main.orders
claude cancels r1
expect r1 is cancelled
shop answers 0 rows
expect count of activity: 9
claude looks at r1
expect seen: cancelled
