//! Requests: what an agent asked for, and what the person decided.

use super::{Excerpt, Scope, WithheldText};
use crate::ids::{
    ClientId, DocumentVersion, FileId, RequestId, RequestKey, SourceGeneration, SourceId,
};
use crate::reason::SqlReason;
use crate::secret::TokenHash;
use crate::value::TableName;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about requests (contract, "Approval and execution").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestEvent {
    /// An agent asked. Everything that will ever run is in here; nothing is fetched again.
    Submitted(Box<Submission>),
    /// The person allowed a request, alone or with what else the scope covers.
    Allowed {
        /// Which request.
        request: RequestId,
        /// How far it reaches.
        scope: Scope,
    },
    /// The person said no.
    Denied {
        /// Which request.
        request: RequestId,
        /// The person's words for the agent, if any.
        note: Option<Arc<str>>,
    },
    /// The agent took its own request back.
    Cancelled {
        /// The client whose token came with the call.
        client: ClientId,
        /// SHA-256 of the session token in the call.
        token_hash: TokenHash,
        /// Which request.
        request: RequestId,
    },
    /// The database said what it expects of a write about which the person is asked. Nothing ran.
    Estimated {
        /// Which request.
        request: RequestId,
        /// What it expects.
        estimate: WriteEstimate,
    },
}

/// What a database expects of a write before it runs: for the person only, and no promise.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WriteEstimate {
    /// Rows that it would touch, where the database says so.
    pub rows: Option<u64>,
    /// The plan in the database's own words.
    pub plan: WithheldText,
}

/// The immutable content of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Submission {
    /// Fresh identifier, used if the request is new.
    pub request: RequestId,
    /// The client whose token came with the call.
    pub client: ClientId,
    /// SHA-256 of the session token in the call.
    pub token_hash: TokenHash,
    /// The agent's key for this intent.
    pub key: RequestKey,
    /// Digest of the tool and its exact arguments; the same key with another digest conflicts.
    pub digest: ArgumentsDigest,
    /// On what.
    pub target: Target,
    /// What to do.
    pub operation: Operation,
}

/// On what a request works, with the state of it that the agent asked about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A database.
    Source {
        /// Which one.
        source: SourceId,
        /// The configuration under which the text was verified. None has the number 0.
        generation: SourceGeneration,
    },
    /// An open document.
    Document {
        /// Which one.
        file: FileId,
        /// Which snapshot of it.
        version: DocumentVersion,
    },
}

impl Target {
    /// The source, if it is one.
    #[must_use]
    pub const fn source(&self) -> Option<&SourceId> {
        match self {
            Self::Source { source, .. } => Some(source),
            Self::Document { .. } => None,
        }
    }

    /// The document, if it is one.
    #[must_use]
    pub const fn file(&self) -> Option<&FileId> {
        match self {
            Self::Document { file, .. } => Some(file),
            Self::Source { .. } => None,
        }
    }
}

/// SHA-256 over the tool's name and its arguments in canonical form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ArgumentsDigest(pub [u8; 32]);

impl std::fmt::Debug for ArgumentsDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for byte in self.0.iter().take(4) {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("…")
    }
}

/// What a request does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Names and kinds of the source's tables.
    ListTables,
    /// Verified metadata of one table.
    DescribeTable {
        /// Which table.
        table: TableName,
    },
    /// A read that the broker wrote from structured arguments.
    ReadTable {
        /// What will run.
        read: Arc<VerifiedRead>,
    },
    /// A read that the agent wrote.
    QuerySql {
        /// What will run.
        read: Arc<VerifiedRead>,
    },
    /// Any single statement, by the agent's own words: Full SQL, or a table write.
    RequestSql {
        /// The exact text that runs, unless it runs as a table write.
        sql: Arc<str>,
        /// What it is if it is a single verified write of one table.
        write: Option<Arc<VerifiedWrite>>,
    },
    /// A range of a document's snapshot.
    ReadOpenFile {
        /// The range and its text.
        excerpt: Excerpt,
    },
    /// A text that cannot run. It never becomes a request; the person sees the attempt.
    Refused {
        /// Which tool was called and why it was refused.
        text: RefusedText,
    },
}

impl Operation {
    /// The tool that asks for it.
    #[must_use]
    pub const fn tool(&self) -> Tool {
        match self {
            Self::ListTables => Tool::ListTables,
            Self::DescribeTable { .. } => Tool::DescribeTable,
            Self::ReadTable { .. } => Tool::ReadTable,
            Self::QuerySql { .. } => Tool::QuerySql,
            Self::RequestSql { .. } => Tool::RequestSql,
            Self::ReadOpenFile { .. } => Tool::ReadOpenFile,
            Self::Refused { text } => text.tool.tool(),
        }
    }

    /// The tool's name.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        self.tool().word()
    }

    /// The exact text that will run (or was refused), where there is one.
    #[must_use]
    pub fn sql(&self) -> Option<&Arc<str>> {
        match self {
            Self::ListTables | Self::DescribeTable { .. } | Self::ReadOpenFile { .. } => None,
            Self::ReadTable { read } | Self::QuerySql { read } => Some(&read.sql),
            Self::RequestSql { sql, .. } => Some(sql),
            Self::Refused { text } => Some(&text.sql),
        }
    }

    /// The tables it names, as far as they are verified.
    #[must_use]
    pub fn tables(&self) -> &[TableName] {
        match self {
            Self::ListTables | Self::ReadOpenFile { .. } | Self::Refused { .. } => &[],
            Self::DescribeTable { table } => std::slice::from_ref(table),
            Self::ReadTable { read } | Self::QuerySql { read } => &read.tables,
            Self::RequestSql { write, .. } => match write {
                Some(write) => std::slice::from_ref(&write.table),
                None => &[],
            },
        }
    }

    /// Whether it may change data.
    #[must_use]
    pub const fn may_write(&self) -> bool {
        matches!(self, Self::RequestSql { .. })
    }
}

/// A single INSERT, UPDATE or DELETE of one table that was rendered from a typed statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VerifiedWrite {
    /// The text that runs if access to the table allows it: never the agent's own.
    pub sql: Arc<str>,
    /// The table that it changes.
    pub table: TableName,
    /// Columns that the table must have.
    pub columns: Vec<String>,
    /// Whether it has no condition, so that it changes every row.
    pub touches_all_rows: bool,
}

/// A read that was rendered from a typed statement. The driver still proves its tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VerifiedRead {
    /// The normalised text: what the person sees is what runs.
    pub sql: Arc<str>,
    /// Every physical table that it names.
    pub tables: Vec<TableName>,
    /// Columns that must be real columns of their table.
    pub columns: Vec<(TableName, String)>,
}

/// A text that was refused before any database saw it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RefusedText {
    /// Which tool was called.
    pub tool: TextTool,
    /// The agent's text: its statement, or the table that it named.
    pub sql: Arc<str>,
    /// Why.
    pub reason: SqlReason,
}

/// The tools that make requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// `list_tables`.
    ListTables,
    /// `describe_table`.
    DescribeTable,
    /// `read_table`.
    ReadTable,
    /// `query_sql`.
    QuerySql,
    /// `request_sql`.
    RequestSql,
    /// `read_open_file`.
    ReadOpenFile,
}

impl Tool {
    /// The tool's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ListTables => "list_tables",
            Self::DescribeTable => "describe_table",
            Self::ReadTable => "read_table",
            Self::QuerySql => "query_sql",
            Self::RequestSql => "request_sql",
            Self::ReadOpenFile => "read_open_file",
        }
    }
}

/// The tools whose arguments name tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextTool {
    /// `describe_table`.
    DescribeTable,
    /// `read_table`.
    ReadTable,
    /// `query_sql`.
    QuerySql,
}

impl TextTool {
    /// Which tool it is.
    #[must_use]
    pub const fn tool(self) -> Tool {
        match self {
            Self::DescribeTable => Tool::DescribeTable,
            Self::ReadTable => Tool::ReadTable,
            Self::QuerySql => Tool::QuerySql,
        }
    }

    /// The tool's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.tool().word()
    }
}
