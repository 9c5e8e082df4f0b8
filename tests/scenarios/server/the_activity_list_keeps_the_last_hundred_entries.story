# The activity list keeps the last hundred entries
It is for the person, in memory, and an agent cannot make it grow without end.
proves: A-1

given claude works on shop: read
claude queries shop 40 times, each answered
    SELECT id FROM main.orders
expect count of activity: 100
claude queries shop 200 times, refused by the text: second_statement
    SELECT id FROM main.orders; SELECT 1
expect count of activity: 100
