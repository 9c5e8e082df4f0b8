# Renaming a database keeps everything
Its name and its alias are words for people and agents. What runs goes on, what was granted stays,
and the agent sees the new alias.
proves: G-4, R-6

given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
dana allows r1 for the session: table
dana renames shop: "Sales" for agents as "Orders"
expect r1 is running
expect count of grants: 1
shop answers 2 rows, main.orders is object 7
claude looks at the catalog
expect seen: src1 "Orders" sqlite ask
claude looks at r1
expect seen: completed, 2 rows
dana renames shop: "Sales" for agents as "Orders"
expect no effect
