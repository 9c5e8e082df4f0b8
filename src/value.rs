//! Neutral values: what every driver returns and what every result is made of.

use serde::{Deserialize, Serialize};

/// One value of a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cell {
    /// SQL NULL.
    Null,
    /// Any other scalar as exact text: numbers never pass through floating-point JSON.
    Text(String),
    /// Bytes; they leave as `{"binary_hex": "…"}` in lower-case hexadecimal digits.
    Binary(Vec<u8>),
}

/// Rows of one read, already cut to the limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rows {
    /// Column names in order. Names may repeat, as in SQL.
    pub columns: Vec<String>,
    /// Each row has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// The limit at which the rows were cut; none exactly when every row of the statement is here.
    pub truncated_by: Option<ResultLimit>,
    /// How many rows the statement inserted, updated or deleted, as the database says; none for a read.
    pub affected_rows: Option<u64>,
    /// Bytes of columns and rows as compact JSON, which is what the limits count.
    pub bytes: u64,
    /// The layers that really engaged while this was read, in the order in which they engaged
    /// (for example `read_only_handle`, `authorizer`, `table_proof`, `deadline`).
    pub guards: Vec<Guard>,
}

impl Rows {
    /// Whether the statement had more rows than are here.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.truncated_by.is_some()
    }
}

/// The limit of a result that cut it (contract, "Limits").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultLimit {
    /// 500 rows.
    Rows,
    /// 256 KiB of result data.
    Bytes,
    /// 64 KiB in one cell. Only a statement that may write is cut by it: it took effect, so that an error would
    /// be untrue. A read is refused instead.
    CellBytes,
    /// The size of one answer, which holds the data twice.
    ResponseBytes,
}

/// How a table is held while an agent reads it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ReadLock {
    /// The contract's: nobody can change the table's definition between its proof and the end of the read.
    /// PostgreSQL gives it (SHARE UPDATE EXCLUSIVE) only to accounts that may also write, and only on a primary.
    #[default]
    Full,
    /// ACCESS SHARE, which an account that may only read can take, also on a standby. The proof is made
    /// before the read and again after it; unless both are identical, the result is dropped.
    Weak,
}

/// What a database expects of a statement before it runs. An estimate, from its planner; nothing ran.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Estimate {
    /// Rows that it would touch, where the database says so.
    pub rows: Option<u64>,
    /// The plan in the database's own words, for the person only; at most 8 KiB.
    pub plan: String,
}

/// A layer of protection that engaged. A layer that could not engage is a refusal, never absent
/// in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// The text that ran was rendered from a typed statement that cannot hold anything else.
    TypedStatement,
    /// The database handle was opened read-only.
    ReadOnlyHandle,
    /// The statement ran inside a read-only transaction that was rolled back.
    ReadOnlyTransaction,
    /// The engine asked us for each table, column and function, and anything unlisted was denied.
    Authorizer,
    /// Each table was proven to be of a supported kind, inside the transaction of the read.
    TableProof,
    /// The identity of each table could not change between its proof and the read.
    IdentityPinned,
    /// The tables were locked with the weaker lock that the person chose for the source.
    WeakReadLock,
    /// Each table was proven again after the read, and was the same.
    ProvenAgain,
    /// Names of functions and operators could mean built-in ones only.
    SearchPath,
    /// The settings that give a text its meaning and a value its form were set and read back.
    SessionSettings,
    /// The statement was sent by a message that can hold only one.
    SingleStatement,
    /// The operation deadline was armed in the engine.
    Deadline,
    /// Row, cell and size limits were counted while reading.
    ResultLimits,
}

/// A table, view or CTE-free relation by its two names, exactly as the database spells them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableName {
    /// Schema (PostgreSQL), database (MySQL, MariaDB) or `main` (SQLite).
    pub schema: String,
    /// Name inside the schema.
    pub name: String,
}

/// What makes a table the same table later: a digest of everything that its proof saw (contract,
/// "Idempotency and freshness"). Only drivers make one; equal means the same object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectIdentity(pub [u8; 32]);

impl std::fmt::Debug for ObjectIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for byte in self.0.iter().take(4) {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("…")
    }
}

impl std::fmt::Display for TableName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}

/// One candidate of `list_tables`. The full proof happens before describe and read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TableEntry {
    /// Which table.
    pub table: TableName,
    /// Static word: `table`, `view`, `materialized_view`, ….
    pub kind: String,
}

/// Verified metadata of one table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TableDescription {
    /// Which table.
    pub table: TableName,
    /// Its columns in order.
    pub columns: Vec<ColumnDescription>,
    /// The layers that engaged while this was read.
    pub guards: Vec<Guard>,
}

/// Verified metadata of one column.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ColumnDescription {
    /// Name, exactly as the database spells it.
    pub name: String,
    /// Declared type, exactly as the database spells it; empty where SQLite has none.
    pub declared_type: String,
    /// Whether NULL may be stored.
    pub nullable: bool,
    /// Position in the primary key, from 1; none if it is no part of it.
    pub primary_key_position: Option<u32>,
}

/// Kinds of database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// SQLite 3, a local file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL.
    Mysql,
    /// MariaDB.
    Mariadb,
}

impl Engine {
    /// The word used in configuration, catalogs and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
            Self::Mariadb => "mariadb",
        }
    }

    /// The name people use.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MySQL",
            Self::Mariadb => "MariaDB",
        }
    }
}
