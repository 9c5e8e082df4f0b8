# A click on a page that is out of date decides nothing
The page still shows a request that meanwhile ran, ended or was dropped. Each click is answered with
what holds now.
proves: R-4

given claude works on shop: ask
claude queries shop 2 times
    SELECT id FROM main.orders
dana allows r1
dana denies r1
expect refused: not pending
shop answers 2 rows
dana denies r1
expect refused: not pending
dana allows r1
expect refused: not pending
clock 5m
dana allows r1
expect refused: unknown
dana denies r1
expect refused: unknown
dana allows r999
expect refused: unknown
dana allows r2
expect refused: not pending
