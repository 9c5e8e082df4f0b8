# MySQL and MariaDB are engines of their own
They share a protocol and not the dialect, so agents are told which of the two a source is. A database that
moves to the other one is another source: nothing carries over.

given the server runs
given an agent claude
dana adds shop on MySQL
dana adds sales on MariaDB
dana shares shop with claude: read
dana shares sales with claude: read
claude begins a session
claude looks at the catalog
expect seen: src1 "MySQL source 1" mysql read, src2 "MariaDB source 2" mariadb read
claude queries shop
    SELECT id FROM shop.orders
shop answers 1 row
expect r1 is completed
dana changes shop: connection moved on MariaDB
expect r1 is revoked
