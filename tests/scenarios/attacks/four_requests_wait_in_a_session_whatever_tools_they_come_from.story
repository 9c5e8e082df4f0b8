# Four requests wait in a session whatever tools they come from
An agent cannot bury the person in prompts by mixing its tools. The fifth is refused until one is
decided or taken back.
proves: R-5

given a document notes: "buy more coffee"
given claude sees notes
given claude works on shop: ask
claude requests shop 2 times
    drop table orders
claude reads bytes 0 to 5 of notes
claude lists the tables of shop
claude requests shop
    drop table orders
expect refused: session pending limit
claude reads bytes 0 to 5 of notes
expect refused: session pending limit
dana denies r1
claude requests shop
    drop table orders
expect answer: r5 new
