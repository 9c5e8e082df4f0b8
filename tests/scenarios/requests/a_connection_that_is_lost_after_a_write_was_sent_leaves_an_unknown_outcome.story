# A connection that is lost after a write was sent leaves an unknown outcome
The answer did not come. Whether the database had carried the statement out by then, nobody can say;
its own words are for the person only.
proves: W-2

given claude works on shop: ask
claude requests shop
    update main.orders set total = 0
dana allows r1
shop is ready to send
shop loses the connection, saying "could not read from 10.0.0.7 port 5432"
expect slots taken: 0
claude looks at r1
expect seen: outcome_unknown
