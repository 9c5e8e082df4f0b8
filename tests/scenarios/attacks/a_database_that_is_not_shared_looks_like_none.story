# A database that is not shared looks like none
An agent that guesses the identifier of a private database gets the same answer as for one that does
not exist, whatever it tries.

given claude works on shop: ask
dana adds payroll
claude queries payroll
    SELECT salary FROM main.employees
expect refused: resource unavailable
claude queries nowhere
    SELECT salary FROM main.employees
expect refused: resource unavailable
claude queries payroll, refused by the text: function
    SELECT load_extension('x') FROM main.employees
expect refused: resource unavailable
claude queries payroll, with its text verified under sg2
    SELECT salary FROM main.employees
expect refused: resource unavailable
claude looks at the catalog
expect seen: src1 "SQLite source 1" sqlite ask
