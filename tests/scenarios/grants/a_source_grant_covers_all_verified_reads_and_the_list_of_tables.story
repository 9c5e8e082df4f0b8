# A source grant covers all verified reads and the list of tables
The person trusts the agent with reading this database for the length of the conversation.
Everything that is verified to read runs, and nothing more.
proves: G-2

given claude works on shop: ask
claude lists the tables of shop
dana allows r1 for the session: source
shop answers 3 tables
claude queries shop
    SELECT o.id FROM main.orders AS o JOIN main.customers AS c ON c.id = o.customer
expect started: r2
shop answers 2 rows
claude describes main.customers of shop
expect started: r3
shop answers 4 columns
claude queries shop
    SELECT 1
expect started: r4
shop answers 1 row
claude queries shop, refused by the text: function
    SELECT load_extension('x')
expect refused: unsupported: function
