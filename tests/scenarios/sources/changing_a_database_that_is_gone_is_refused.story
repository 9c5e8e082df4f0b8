# Changing a database that is gone is refused
A page that is out of date changes and renames nothing.

given a database shop
dana removes shop
dana changes shop: password
expect refused: unknown
dana renames shop: "Sales" for agents as "Orders"
expect refused: unknown
expect count of sources: 0
