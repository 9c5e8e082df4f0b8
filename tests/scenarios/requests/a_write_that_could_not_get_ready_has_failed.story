# A write that could not get ready has failed
The database could not be reached, or the statement does not parse there. Nothing was sent, so it is
a plain failure with static words.
proves: R-3

given claude works on shop: ask
claude requests shop
    update main.orders set nothing = 0
dana allows r1
shop fails: execution_failed, saying "no such column: nothing"
claude looks at r1
expect seen: failed: execution_failed
