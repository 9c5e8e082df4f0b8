//! Private database servers for tests, and clients that send a text exactly as it is.
//!
//! Each server lives in a temporary folder, answers on a Unix socket in it only, and ends with the test
//! program however that ends (`process`). The servers are started at first use and shared by all tests of
//! the program.
//!
//! The clients speak just enough of each protocol for this. `psql`, `mariadb` and `mysql` would not do:
//! they read, split and shorten the text by rules of their own, and show NULL as a word.

pub(crate) mod mysql;
mod mysql_client;
pub(crate) mod postgres;
mod postgres_client;
mod process;

/// One value as the server writes it; nothing for NULL.
pub(crate) type Cell = Option<String>;

/// What a statement returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Names of the columns.
    pub(crate) names: Vec<String>,
    /// The rows, in the server's order.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// What a server said instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// SQLSTATE or the engine's own number.
    pub(crate) code: String,
    /// In the server's words.
    pub(crate) message: String,
}

/// A connection to one engine.
pub(crate) trait Client {
    /// Runs one text, exactly as it is, and waits for its end.
    fn ask(&mut self, text: &str) -> Result<Answer, Failure>;

    /// Runs what must succeed.
    fn must(&mut self, text: &str) -> Answer {
        self.ask(text).unwrap_or_else(|failure| panic!("{text}: {failure:?}"))
    }
}
