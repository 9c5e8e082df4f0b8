# A tool does not take the identifier of another kind of thing
SQL for a document and a range of a database are nonsense, and are answered like an identifier that
does not exist.

given a document notes: "buy more coffee"
given claude sees notes
given claude works on shop: read_write
claude queries notes
    SELECT id FROM main.orders
expect refused: resource unavailable
claude requests notes
    delete from main.orders
expect refused: resource unavailable
claude lists the tables of notes
expect refused: resource unavailable
claude reads bytes 0 to 5 of shop
expect refused: resource unavailable
claude queries notes, refused by the text: function
    SELECT load_extension('x')
expect refused: resource unavailable
expect count of requests: 0
