# Setting the same level again changes nothing
A second click on the same choice saves nothing, revokes nothing and says nothing.

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
dana shares shop with claude: read
expect no effect
expect r1 is running
dana shares shop with all agents: none
expect no effect
shop answers 1 row
