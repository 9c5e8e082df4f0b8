# The activity list says what the person changed
A change that the person made, or that somebody made at their screen, must be readable afterwards: of what, for
whom, and to what.

given the server runs
dana adds shop for agents as "Orders"
expect noted: source_added on "shop" as "Orders"
dana connects claude
expect noted: client_created of "claude"
dana shares shop with claude: read
expect noted: sharing_set of "claude" on "shop" as "Orders" detail "read without asking"
dana shares main.orders of shop with claude: read_write
expect noted: sharing_set of "claude" on "shop" as "Orders" detail "main.orders: read and write without asking"
dana renames shop: "Sales" for agents as "Sold"
expect noted: source_renamed on "Sales" as "Sold"
dana changes shop: password
expect noted: source_changed on "Sales" as "Sold" detail "its password changed"
dana opens notes for agents as "Plan": "a text"
dana shares notes with all agents: ask
expect noted: document_shared on "notes" as "Plan" detail "all agents: ask each time"
dana reverts notes: "another text"
expect noted: document_reverted on "notes" as "Plan"
dana closes notes
expect noted: document_closed on "notes" as "Plan"
dana removes shop
expect noted: source_removed on "Sales" as "Sold"
dana revokes claude
expect noted: client_revoked of "claude"
