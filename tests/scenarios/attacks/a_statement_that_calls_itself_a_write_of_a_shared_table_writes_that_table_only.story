# A statement that calls itself a write of a shared table writes that table only
The claim comes from DBeast's own reading of the text and never from the agent. What runs is written
from that reading, so a second half of the text that hides behind it is not there.
proves: G-2

given claude works on shop: ask
dana shares main.orders of shop with claude: read_write
claude requests shop
    delete from main.orders where id = 1; drop table employees
expect started: nothing
claude requests shop, as a write of main.employees
    delete from main.employees
expect started: nothing
claude requests shop, as a write of main.Orders
    delete from main.Orders
expect started: nothing
