# Settings of PostgreSQL do not fit MySQL
On MySQL and MariaDB the database is the schema, and tables are held in one way only. A setting that the engine does not
have is refused and ends nothing; a source that moves to such a server leaves behind what only PostgreSQL has.

given the server runs
given an agent claude
dana adds shop on MySQL
dana shares shop with claude: read
claude begins a session
claude queries shop
    SELECT id FROM shop.orders
shop answers 1 row
dana changes shop: context sales
expect refused: setting does not fit
dana changes shop: weak read lock
expect refused: setting does not fit
expect r1 is completed
dana adds payroll on PostgreSQL
dana changes payroll: weak read lock
dana changes payroll: context sales
dana changes payroll: connection moved on MariaDB
dana changes payroll: weak read lock
expect refused: setting does not fit
