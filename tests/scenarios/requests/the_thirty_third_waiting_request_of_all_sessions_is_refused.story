# The thirty third waiting request of all sessions is refused
Eight agents with four questions each fill the person's screen. A ninth one has to wait, and is not
told whose fault it is.
proves: R-5

given 8 agents work on shop: ask
everybody queries shop 4 times
    SELECT id FROM main.orders
given claude works on shop: ask
claude queries shop
    SELECT id FROM main.orders
expect refused: pending limit
dana denies r1
claude queries shop
    SELECT id FROM main.orders
expect answer: r33 new
