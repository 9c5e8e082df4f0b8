# Narrowing one connection leaves the grants of another
Each connection has its own grants. What is taken from one is not taken from the other.
proves: G-4

given claude works on shop: ask
given eve works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
eve lists the tables of shop
dana allows r2 for the session: source
shop answers 3 tables
dana shares shop with eve: none
expect count of grants: 1
claude looks at r1
expect seen: completed, 3 tables
claude lists the tables of shop
expect started: r3
shop answers 3 tables
