# Standing access does not ask which table it was before
A grant for a table is for the one that was read first. What standing access lets through is matched by
name: the database is not told to compare, even while the grant is there.
proves: G-3

given claude works on shop: ask
claude reads main.orders of shop
dana allows r1 for the session: table
shop answers 2 rows, main.orders is object 7
claude reads main.orders of shop
expect r2 is running
shop answers 2 rows, main.orders is object 7
dana shares shop with claude: read
claude reads main.orders of shop
expect r3 is running
shop answers 2 rows, main.orders is object 7
expect r3 is completed
