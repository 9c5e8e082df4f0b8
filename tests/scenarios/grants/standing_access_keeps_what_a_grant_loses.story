# Standing access keeps what a grant loses
Whoever may read the database anyway does not lose a result because a grant is taken back that was
not needed for it.
proves: R-6

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
dana shares shop with claude: read
dana takes back g1
expect count of grants: 0
claude looks at r1
expect seen: completed, 3 tables
