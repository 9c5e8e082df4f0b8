//! The moves of the model: which event each makes, and how it reads as a line of a story.
//!
//! The cast is that of a story: agents `claude` and `cursor`, the database `shop` with the tables
//! `main.orders` and `main.lines`. Identifiers come in the order in which things appear.

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, Event, GrantEvent, Level, Operation, RequestEvent,
    ResultBody, ResultPayload, Scope, ServerEvent, SessionEvent, SharingEvent, SourceChange,
    SourceEvent, SourceLocation, Submission, TableLevel, Target, TaskEvent, TaskOutcome,
    VerifiedRead, VerifiedWrite,
};
use dbeast::ids::{ClientId, GrantId, RequestId, RequestKey, SessionId, SourceGeneration};
use dbeast::ids::{SourceId, TaskId};
use dbeast::reason::{DatabaseReason, Reason};
use dbeast::secret::TokenHash;
use dbeast::time::Duration;
use dbeast::value::{ObjectIdentity, TableName};
use std::sync::Arc;

/// An agent of the cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agent {
    Claude,
    Cursor,
}

/// For whom something is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whom {
    Only(Agent),
    Everybody,
}

/// A table of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Orders,
    Lines,
}

/// What an agent asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// A query of `main.orders`.
    Orders,
    /// A query of both tables.
    Both,
    /// Any statement.
    Plain,
    /// A write of `main.orders` that DBeast can write itself.
    Write,
}

/// What the person changes about the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Password,
    Available(bool),
    ReadOnly(bool),
}

/// How work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Completed, without a word about its tables.
    Rows,
    /// Completed; each table is the object with this number.
    RowsOf(u8),
    Failed,
    AnotherTable,
    Stopped,
    OutOfTime,
    Lost,
}

/// A call that makes a request, or would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) agent: Agent,
    /// The session whose token it carries.
    pub(crate) session: u16,
    pub(crate) key: u8,
    /// The identifier that it gets if it is new.
    pub(crate) request: u8,
    pub(crate) ask: Ask,
    /// The configuration under which its text was verified; 0 if the source was not visible.
    pub(crate) generation: u64,
    /// Whether that is another one than the agents' door would take now.
    pub(crate) is_stale: bool,
}

/// One move of the person, an agent, the outside or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    StartServer,
    StopServer,
    StopAll,
    Connect(Agent),
    Disconnect(Agent),
    AddShop,
    Change(Change),
    Share(Whom, Option<Level>),
    ShareTable(Whom, Table, Option<TableLevel>),
    Allow(u8, Scope),
    Deny(u8),
    TakeBack(u64),
    EndSession(u16),
    Begin(Agent, u16),
    Submit(Call),
    /// An agent takes a request back, with the token of a session.
    Cancel(Agent, u16, u8),
    /// An agent ends the session whose token it has.
    Leave(Agent, u16),
    Ready(u64),
    Finish(u64, Outcome),
    /// Time goes on to the alarm, which rings.
    Clock(Duration),
    /// Time goes on and the timer sleeps: the next event finds it passed.
    Sleep(Duration),
    RingEarly,
}

impl Agent {
    pub(crate) const ALL: [Self; 2] = [Self::Claude, Self::Cursor];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Cursor => "cursor",
        }
    }

    pub(crate) fn id(self) -> ClientId {
        ClientId::new(match self {
            Self::Claude => "c1",
            Self::Cursor => "c2",
        })
    }
}

impl Whom {
    pub(crate) fn audience(self) -> Audience {
        match self {
            Self::Only(agent) => Audience::Client(agent.id()),
            Self::Everybody => Audience::AllAgents,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Only(agent) => agent.name(),
            Self::Everybody => "all agents",
        }
    }
}

impl Table {
    pub(crate) fn name(self) -> TableName {
        let name = match self {
            Self::Orders => "orders",
            Self::Lines => "lines",
        };
        TableName { schema: "main".to_owned(), name: name.to_owned() }
    }
}

pub(crate) fn shop() -> SourceId {
    SourceId::new("src1")
}

pub(crate) fn session_id(number: u16) -> SessionId {
    SessionId::new(&format!("s{number}"))
}

pub(crate) fn token(number: u16) -> TokenHash {
    let mut digest = [0; 32];
    digest[..2].copy_from_slice(&number.to_be_bytes());
    TokenHash::new(digest)
}

pub(crate) fn request_id(number: u8) -> RequestId {
    RequestId::new(&format!("r{number}"))
}

impl Ask {
    const fn sql(self) -> &'static str {
        match self {
            Self::Orders => "SELECT id FROM main.orders",
            Self::Both => "SELECT o.id FROM main.orders AS o JOIN main.lines AS l ON l.id = o.id",
            Self::Plain => "CREATE INDEX by_id ON orders (id)",
            Self::Write => "delete from main.orders where id = 1",
        }
    }

    pub(crate) fn operation(self) -> Operation {
        let sql: Arc<str> = Arc::from(self.sql());
        let read = |tables: &[Table]| {
            let tables = tables.iter().map(|table| table.name()).collect();
            Arc::new(VerifiedRead { sql: sql.clone(), tables, columns: Vec::new() })
        };
        match self {
            Self::Orders => Operation::QuerySql { read: read(&[Table::Orders]) },
            Self::Both => Operation::QuerySql { read: read(&[Table::Orders, Table::Lines]) },
            Self::Plain => Operation::RequestSql { sql, write: None },
            Self::Write => {
                let write = VerifiedWrite {
                    sql: Arc::from(sql.to_uppercase()),
                    table: Table::Orders.name(),
                    columns: Vec::new(),
                    touches_all_rows: false,
                };
                Operation::RequestSql { sql, write: Some(Arc::new(write)) }
            }
        }
    }
}

impl Change {
    pub(crate) const fn change(self) -> SourceChange {
        match self {
            Self::Password => SourceChange::Password,
            Self::Available(is_available) => SourceChange::Availability { is_available },
            Self::ReadOnly(is_read_only) => SourceChange::ReadOnly { is_read_only },
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Available(true) => "available",
            Self::Available(false) => "unavailable",
            Self::ReadOnly(true) => "read-only",
            Self::ReadOnly(false) => "writable",
        }
    }
}

impl Outcome {
    fn outcome(self) -> TaskOutcome {
        let completed = |identities| TaskOutcome::Completed {
            body: ResultBody::new(ResultPayload::Withheld, [1; 32], 9),
            identities,
        };
        match self {
            Self::Rows => completed(Vec::new()),
            Self::RowsOf(object) => {
                let seen = |table: Table| (table.name(), ObjectIdentity([object; 32]));
                completed(vec![seen(Table::Orders), seen(Table::Lines)])
            }
            Self::Failed => TaskOutcome::Failed {
                reason: Reason::Database(DatabaseReason::ExecutionFailed),
                cause: None,
            },
            Self::AnotherTable => TaskOutcome::IdentityChanged,
            Self::Stopped => TaskOutcome::Cancelled,
            Self::OutOfTime => TaskOutcome::DeadlineExceeded,
            Self::Lost => TaskOutcome::OutcomeUnknown { cause: None },
        }
    }

    fn deed(self) -> String {
        match self {
            Self::Rows => "answers 1 row".to_owned(),
            Self::RowsOf(object) => format!(
                "answers 1 row, main.orders is object {object}, main.lines is object {object}"
            ),
            Self::Failed => format!("fails: {}", DatabaseReason::ExecutionFailed.code()),
            Self::AnotherTable => "finds another table".to_owned(),
            Self::Stopped => "stops as told".to_owned(),
            Self::OutOfTime => "runs out of time".to_owned(),
            Self::Lost => "loses the connection".to_owned(),
        }
    }
}

impl Call {
    fn submission(self) -> Submission {
        Submission {
            request: request_id(self.request),
            client: self.agent.id(),
            token_hash: token(self.session),
            key: RequestKey::new(&format!("k{}", self.key)),
            digest: ArgumentsDigest([self.ask as u8; 32]),
            target: Target::Source {
                source: shop(),
                generation: SourceGeneration(self.generation),
            },
            operation: self.ask.operation(),
        }
    }

    fn line(self) -> String {
        let (name, session, key) = (self.agent.name(), self.session, self.key);
        let deed = match self.ask {
            Ask::Orders | Ask::Both => "queries shop",
            Ask::Plain => "requests shop",
            Ask::Write => "requests shop, as a write of main.orders",
        };
        let stale = match self.is_stale {
            true => format!(", with its text verified under sg{}", self.generation),
            false => String::new(),
        };
        let sql = self.ask.sql();
        format!("{name} {deed}, with key k{key}, with the token of s{session}{stale}\n    {sql}")
    }
}

impl Move {
    /// The event that it makes; none if only time goes on.
    pub(crate) fn event(self) -> Option<Event> {
        Some(match self {
            Self::StartServer => ServerEvent::Started { port: 1 }.into(),
            Self::StopServer => ServerEvent::Stopped.into(),
            Self::StopAll => ServerEvent::AllStopped.into(),
            Self::Connect(agent) => {
                let token_hash = TokenHash::new([0xC0 + agent as u8; 32]);
                let label = Arc::from(agent.name());
                ClientEvent::Created { client: agent.id(), label, token_hash }.into()
            }
            Self::Disconnect(agent) => ClientEvent::Revoked { client: agent.id() }.into(),
            Self::AddShop => SourceEvent::Added {
                source: shop(),
                name: Arc::from("shop"),
                alias: None,
                location: SourceLocation::Sqlite { path: Arc::from("shop.db") },
                is_read_only: false,
            }
            .into(),
            Self::Change(change) => {
                SourceEvent::Changed { source: shop(), change: change.change() }.into()
            }
            Self::Share(whom, level) => {
                SharingEvent::Set { source: shop(), audience: whom.audience(), level }.into()
            }
            Self::ShareTable(whom, table, level) => {
                let (source, audience, table) = (shop(), whom.audience(), table.name());
                SharingEvent::TableSet { source, audience, table, level }.into()
            }
            Self::Allow(number, scope) => {
                RequestEvent::Allowed { request: request_id(number), scope }.into()
            }
            Self::Deny(number) => {
                RequestEvent::Denied { request: request_id(number), note: None }.into()
            }
            Self::TakeBack(grant) => GrantEvent::Revoked { grant: GrantId(grant) }.into(),
            Self::EndSession(number) => {
                SessionEvent::Revoked { session: session_id(number) }.into()
            }
            Self::Begin(..) | Self::Submit(_) | Self::Cancel(..) | Self::Leave(..) => {
                return self.call();
            }
            Self::Ready(task) => TaskEvent::ReadyToSend { task: TaskId(task) }.into(),
            Self::Finish(task, outcome) => {
                TaskEvent::Finished { task: TaskId(task), outcome: outcome.outcome() }.into()
            }
            Self::Clock(_) | Self::RingEarly => ServerEvent::TimePassed.into(),
            Self::Sleep(_) => return None,
        })
    }

    /// The event of an agent's call.
    fn call(self) -> Option<Event> {
        match self {
            Self::Begin(agent, number) => {
                let (client, session) = (agent.id(), session_id(number));
                let token_hash = token(number);
                Some(SessionEvent::Began { client, session, token_hash, label: None }.into())
            }
            Self::Submit(call) => Some(RequestEvent::Submitted(Box::new(call.submission())).into()),
            Self::Cancel(agent, session, number) => {
                let (client, token_hash) = (agent.id(), token(session));
                let request = request_id(number);
                Some(RequestEvent::Cancelled { client, token_hash, request }.into())
            }
            Self::Leave(agent, session) => {
                let (client, token_hash) = (agent.id(), token(session));
                Some(SessionEvent::Ended { client, token_hash }.into())
            }
            _ => None,
        }
    }

    /// How it reads in a story.
    pub(crate) fn line(self) -> String {
        match self {
            Self::StartServer => "dana starts the server".to_owned(),
            Self::StopServer => "dana stops the server".to_owned(),
            Self::StopAll => "dana stops all".to_owned(),
            Self::Connect(agent) => format!("dana connects {}", agent.name()),
            Self::Disconnect(agent) => format!("dana revokes {}", agent.name()),
            Self::AddShop => "dana adds shop".to_owned(),
            Self::Change(change) => format!("dana changes shop: {}", change.word()),
            Self::Share(whom, level) => {
                let level = level.map_or("none", Level::word);
                format!("dana shares shop with {}: {level}", whom.name())
            }
            Self::ShareTable(whom, table, level) => {
                let level = level.map_or("none", TableLevel::word);
                format!("dana shares {} of shop with {}: {level}", table.name(), whom.name())
            }
            Self::Allow(number, Scope::Once) => format!("dana allows r{number}"),
            Self::Allow(number, scope) => {
                format!("dana allows r{number} for the session: {}", scope.word())
            }
            Self::Deny(number) => format!("dana denies r{number}"),
            Self::TakeBack(grant) => format!("dana takes back g{grant}"),
            Self::EndSession(number) => format!("dana ends s{number}"),
            Self::Begin(agent, _) => format!("{} begins a session", agent.name()),
            Self::Submit(call) => call.line(),
            Self::Cancel(agent, session, number) => {
                format!("{} cancels r{number}, with the token of s{session}", agent.name())
            }
            Self::Leave(agent, session) => {
                format!("{} ends its session, with the token of s{session}", agent.name())
            }
            Self::Ready(task) => format!("shop is ready to send for t{task}"),
            Self::Finish(task, outcome) => format!("shop {} for t{task}", outcome.deed()),
            Self::Clock(length) => format!("clock {}", pieces(length)),
            Self::Sleep(length) => format!("clock {} without the alarm", pieces(length)),
            Self::RingEarly => "alarm rings early".to_owned(),
        }
    }
}

/// `4m 59s 999ms`.
fn pieces(length: Duration) -> String {
    let (minutes, seconds, millis) = (length.0 / 60_000, length.0 / 1_000 % 60, length.0 % 1_000);
    let parts = [(minutes, "m"), (seconds, "s"), (millis, "ms")];
    let told: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, unit)| format!("{number}{unit}"))
        .collect();
    if told.is_empty() { "0s".to_owned() } else { told.join(" ") }
}
