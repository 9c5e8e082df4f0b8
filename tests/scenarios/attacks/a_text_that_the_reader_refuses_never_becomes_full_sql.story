# A text that the reader refuses never becomes Full SQL
Even where Full SQL is granted or shared, a text that the strict reader does not take is refused.
The agent has to ask for Full SQL in so many words.

given claude works on shop: ask
claude requests shop
    vacuum
dana allows r1 for the session: full_sql
shop is ready to send
shop answers 0 rows
claude queries shop, refused by the text: function
    SELECT load_extension('x')
expect refused: unsupported: function
dana shares shop with claude: read_write
claude queries shop, refused by the text: second_statement
    SELECT 1; DROP TABLE orders
expect refused: unsupported: second_statement
expect count of requests: 1
