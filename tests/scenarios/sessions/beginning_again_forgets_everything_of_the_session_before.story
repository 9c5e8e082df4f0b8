# Beginning again forgets everything of the session before
A new conversation starts with nothing: no request, no permission, no key of the old one.
proves: S-1, R-1, K-1

given claude works on shop: ask
claude queries shop, with key k1
    SELECT id FROM main.orders
dana allows r1
claude begins a session
expect effect: tell t1 to stop
claude looks at r1
expect seen: refused: resource unavailable
claude looks at r1, with the token of s1
expect seen: refused: session expired
claude queries shop, with key k1
    SELECT id FROM main.orders
expect answer: r2 new
claude queries shop, with the token of s1
    SELECT id FROM main.orders
expect refused: session expired
shop answers 2 rows
claude looks at r1
expect seen: refused: resource unavailable
