# A read-only database takes no writes whatever is asked
It was added as read-only. Statements are refused before anybody is asked, and so is sharing it for
writing.
proves: W-1

given the server runs
given an agent claude
dana adds ledger read-only
dana shares ledger with claude: read_write
expect refused: source read-only
dana shares ledger with claude: read
dana shares main.books of ledger with claude: read_write
expect refused: source read-only
claude begins a session
claude requests ledger
    delete from main.books
expect refused: source read-only
claude requests ledger, as a write of main.books
    delete from main.books where id = 1
expect refused: source read-only
claude queries ledger
    SELECT id FROM main.books
expect started: r1
ledger answers 2 rows
expect count of requests: 1
