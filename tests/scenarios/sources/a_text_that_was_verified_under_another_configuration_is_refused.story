# A text that was verified under another configuration is refused
The agent asked while the person changed the database. The proof of the text was for what was there
before, so it has to be made again.

given claude works on shop: read_write
dana changes shop: context sales
claude queries shop, with its text verified under sg1
    SELECT id FROM main.orders
expect refused: resource unavailable
claude requests shop, with its text verified under sg1
    delete from main.orders
expect refused: resource unavailable
claude lists the tables of shop, with its text verified under sg1
expect refused: resource unavailable
claude queries shop, with its text verified under sg3
    SELECT id FROM main.orders
expect refused: resource unavailable
claude queries shop
    SELECT id FROM main.orders
expect started: r1
shop answers 2 rows
