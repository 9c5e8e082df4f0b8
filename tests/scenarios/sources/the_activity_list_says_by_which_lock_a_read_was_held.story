# The activity list says by which lock a read was held
Only PostgreSQL has a choice, and only for reads. What is said comes from the guards that really engaged,
not from what the source is set to.

given claude works on shop: read
dana adds payroll on PostgreSQL
dana shares payroll with claude: read
claude queries payroll
    SELECT id FROM public.salaries
payroll answers 2 rows under the full lock
expect noted: request_completed of "claude" in s1 about r1 on "payroll" as "PostgreSQL source 2" by query_sql now completed sql "SELECT id FROM public.salaries" because shared_access detail "its tables were held by the full read lock"
dana changes payroll: weak read lock
claude queries payroll
    SELECT id FROM public.salaries
payroll answers 2 rows under the weak lock
expect noted: request_completed of "claude" in s1 about r2 on "payroll" as "PostgreSQL source 2" by query_sql now completed sql "SELECT id FROM public.salaries" because shared_access detail "its tables were held by the weaker read lock and proven before and after"
claude queries shop
    SELECT id FROM main.orders
shop answers 2 rows under the full lock
expect noted: request_completed of "claude" in s1 about r3 on "shop" as "SQLite source 1" by query_sql now completed sql "SELECT id FROM main.orders" because shared_access
