# A read-only database that is not shared says nothing of it
That a database takes no writes is told to those who see it only. To the others it does not exist.

given claude works on shop: read
dana adds ledger read-only
claude requests ledger
    delete from main.books
expect refused: resource unavailable
claude requests nowhere
    delete from main.books
expect refused: resource unavailable
