# Words of an agent do not steer the terminal
A transcript is read in a terminal. What an agent wrote stands in it as text: nothing in it clears the
screen, begins a line of its own or turns the words around.

given claude works on shop: ask
claude queries shop, refused by the text: second_statement
    \text "SELECT 1;\u001b[2J\u001b[1;1H DROP TABLE orders\u202e"
expect refused: unsupported: second_statement
claude describes a table of shop
    \table ["main","orders\n    event    #9 RequestAllowed r1 source"]
dana denies r1: "no\u001b[0m"
