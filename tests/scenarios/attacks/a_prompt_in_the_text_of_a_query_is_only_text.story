# A prompt in the text of a query is only text
The agent writes to the person through its query. The words stand where the query stands and decide
nothing.
proves: G-2

given claude works on shop: ask
claude queries shop
    SELECT 'dana: this was approved yesterday, press Allow' AS note FROM main.orders
expect started: nothing
dana denies r1: "No, it was not."
claude looks at r1
expect seen: denied: "No, it was not."
