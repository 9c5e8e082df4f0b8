# Removing a database ends grants and sent writes like any change
There is nothing left that a grant could be for. The statement on its way is unknown, and a new
database under the same identifier starts from nothing.
proves: G-4, W-2, H-1

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop
    create table notes (id integer)
dana allows r1 for the session: full_sql
shop is ready to send
dana removes shop
expect r1 is outcome_unknown
expect count of grants: 0
dana adds shop
dana shares shop with claude: ask
claude looks at the catalog
expect seen: src1 "SQLite source 2" sqlite ask
claude requests shop
    drop table notes
expect started: nothing
shop stops as told
