# The sixty fifth table of an entry is refused
What the vault holds is bounded. At the limit levels can still be changed, and a table that is taken
out makes room for another one.
proves: L-1

given claude works on shop: ask
dana shares 64 tables of shop with claude: read
dana shares main.more of shop with claude: read
expect refused: shared table limit
dana shares main.table1 of shop with claude: read_write
dana shares main.table2 of shop with claude: none
dana shares main.more of shop with claude: read
claude requests shop, as a write of main.table1
    delete from main.table1 where id = 1
expect started: r1
shop is ready to send
shop answers 0 rows
claude queries shop
    SELECT id FROM main.more
expect started: r2
shop answers 2 rows
