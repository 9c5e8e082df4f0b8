# A join that shows another table ends the grant for it
A grant is for the table that was read when it began. Whatever read shows that there is another one under its
name now ends it, also a join that the person allowed once and that needs no grant.
proves: G-5

given claude works on shop: ask
claude queries shop
    select * from main.orders
dana allows r1 for the session: table
shop answers 1 row, main.orders is object 1
claude queries shop
    select * from main.orders join main.people
dana allows r2
shop answers 1 row, main.people is object 5, main.orders is object 2
expect count of grants: 0
claude looks at r1
expect seen: revoked
claude looks at r2
expect seen: completed, 1 row
claude queries shop
    select * from main.orders
expect started: nothing
