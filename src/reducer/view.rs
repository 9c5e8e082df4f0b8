//! What the person sees: a projection of the state into types of its own. The state itself is never
//! serialised. `docs/interface.md` describes the JSON. A view borrows what it shows from the state.

use super::limits::{DECISION, OPERATION, RESULT_BYTES_MAX, ROWS_MAX};
use super::state::{Client, Document, Entry, Grant, GrantScope, Request, Source, State, Status};
use crate::events::{Audience, Notice, Operation, Scope};
use crate::ids::{ClientId, FileId, GrantId, RequestId, SessionId, SourceId};
use crate::value::{Engine, ReadLock, TableName};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A number as a key, zero-padded, so that the order of the texts is the order of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Padded(pub u64);

impl std::fmt::Display for Padded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:012}", self.0)
    }
}

impl Serialize for Padded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Everything on the person's screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View<'a> {
    /// The program and the agents' door.
    pub server: ServerView,
    /// What the person should know about the program itself, by code.
    pub notices: BTreeMap<&'static str, NoticeView>,
    /// Databases by identifier.
    pub sources: BTreeMap<&'a str, SourceView<'a>>,
    /// Open documents by identifier.
    pub documents: BTreeMap<&'a str, DocumentView<'a>>,
    /// Agent connections by identifier.
    pub clients: BTreeMap<&'a str, ClientView<'a>>,
    /// Grants for a session by identifier.
    pub grants: BTreeMap<Padded, GrantView<'a>>,
    /// Requests by identifier.
    pub requests: BTreeMap<&'a str, RequestView<'a>>,
    /// Activity by zero-padded number.
    pub activity: BTreeMap<Padded, EntryView<'a>>,
    /// Figures that the screen shows.
    pub limits: LimitsView,
}

/// The program and the agents' door.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerView {
    /// DBeast's version.
    pub version: &'static str,
    /// Where agents connect; none while the door is closed.
    pub mcp_url: Option<String>,
    /// `keychain` or `memory`.
    pub vault: &'static str,
    /// When the door was opened, in milliseconds since the epoch.
    pub started_at_ms: Option<u64>,
}

/// One notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoticeView {
    /// Stable word.
    pub code: &'static str,
    /// `info` or `warning`.
    pub severity: &'static str,
    /// What is the case.
    pub message: &'static str,
    /// What to do.
    pub hint: &'static str,
}

/// One database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceView<'a> {
    /// Identifier.
    pub source_id: &'a SourceId,
    /// The person's name for it.
    pub name: &'a str,
    /// The name that agents see.
    pub alias: &'a str,
    /// Which engine.
    pub engine: Engine,
    /// Where it is.
    pub location: Cow<'a, str>,
    /// The database or schema in which names are looked up.
    pub context: Option<&'a str>,
    /// Whether it can be used at all.
    pub is_available: bool,
    /// Whether it never accepts writes.
    pub is_read_only: bool,
    /// How tables are held during a read: `full` or `weak`.
    pub read_lock: ReadLock,
    /// When it was added.
    pub added_at_ms: u64,
    /// Levels by `all_agents` or client identifier.
    pub shared: BTreeMap<&'a str, &'static str>,
    /// Tables with a level of their own, by `all_agents` or client identifier.
    pub shared_tables: BTreeMap<&'a str, Vec<SharedTableView<'a>>>,
}

/// A table with a level of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedTableView<'a> {
    /// Its schema.
    pub schema: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its level.
    pub access: &'static str,
}

/// One open document. Its text is not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentView<'a> {
    /// Identifier.
    pub file_id: &'a FileId,
    /// The person's name for it.
    pub name: &'a str,
    /// The name that agents see.
    pub alias: &'a str,
    /// What kind of text it is.
    pub kind: &'static str,
    /// Which snapshot this is.
    pub version: u64,
    /// Size of the snapshot in bytes.
    pub bytes: u64,
    /// When it was opened.
    pub opened_at_ms: u64,
    /// With whom it is shared: `all_agents` or client identifiers.
    pub shared: Vec<&'a str>,
}

/// One grant for a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrantView<'a> {
    /// Identifier.
    pub grant_id: GrantId,
    /// Whose.
    pub session_id: &'a SessionId,
    /// Of which connection.
    pub client_id: Option<&'a ClientId>,
    /// `once`, `table`, `source`, `full_sql` or `document`.
    pub scope: &'static str,
    /// The one request, for `once`.
    pub request_id: Option<&'a RequestId>,
    /// The source that it is about.
    pub source_id: Option<&'a SourceId>,
    /// The document that it is about.
    pub file_id: Option<&'a FileId>,
    /// Which snapshot of it.
    pub version: Option<u64>,
    /// The table, as `[schema, name]`.
    pub table: Option<[&'a str; 2]>,
    /// When it was given.
    pub granted_at_ms: u64,
}

/// One agent connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientView<'a> {
    /// Identifier.
    pub client_id: &'a ClientId,
    /// The person's name for it.
    pub label: &'a str,
    /// When it was created.
    pub created_at_ms: u64,
    /// Its live session.
    pub session: Option<SessionView<'a>>,
}

/// One live session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionView<'a> {
    /// Public identifier.
    pub session_id: &'a SessionId,
    /// The agent's own words.
    pub label: Option<&'a str>,
    /// When it began.
    pub began_at_ms: u64,
    /// When it was last used.
    pub last_used_at_ms: u64,
    /// When it ends if it is not used again.
    pub expires_at_ms: u64,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestView<'a> {
    /// Identifier.
    pub request_id: &'a RequestId,
    /// Whose.
    pub client_id: &'a ClientId,
    /// The person's name for the connection.
    pub client_label: Option<&'a str>,
    /// In which session.
    pub session_id: &'a SessionId,
    /// The agent's own words.
    pub session_label: Option<&'a str>,
    /// On which source.
    pub source_id: Option<&'a SourceId>,
    /// Of which document.
    pub file_id: Option<&'a FileId>,
    /// The range of it in bytes, as `[from, to, size of the snapshot]`.
    pub range: Option<[u64; 3]>,
    /// The person's name for source or document.
    pub source_name: Option<&'a str>,
    /// The name that agents see.
    pub source_alias: Option<&'a str>,
    /// Which engine.
    pub engine: Option<Engine>,
    /// Where it is.
    pub location: Option<Cow<'a, str>>,
    /// Which tool.
    pub operation: &'static str,
    /// The exact text that will run.
    pub sql: Option<&'a str>,
    /// Which tables, as `[schema, name]`.
    pub tables: Vec<[&'a str; 2]>,
    /// Whether it may change data.
    pub may_write: bool,
    /// Whether it changes every row of its table, as far as that is known.
    pub touches_all_rows: bool,
    /// What its database expects of it, once that is known. An estimate.
    pub estimate: Option<EstimateView<'a>>,
    /// How far a decision can reach, from the narrowest.
    pub scopes: Vec<&'static str>,
    /// Where it is in its life.
    pub status: &'static str,
    /// Whether it waits for the person.
    pub needs_decision: bool,
    /// Why it may run.
    pub authorised_by: Option<&'static str>,
    /// Rows that it may bring back at most.
    pub rows_max: u32,
    /// How long it may run.
    pub deadline_ms: u64,
    /// When it came.
    pub submitted_at_ms: u64,
    /// When it expires undecided.
    pub expires_at_ms: u64,
}

/// What a database expects of a write before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EstimateView<'a> {
    /// Rows that it would touch, where the database says so.
    pub rows: Option<u64>,
    /// The plan in the database's own words; none in a replay.
    pub plan: Option<&'a str>,
}

/// One entry of the activity list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryView<'a> {
    /// Counts up.
    pub entry: u64,
    /// When.
    pub at_ms: u64,
    /// The person's name for the connection.
    pub client_label: Option<&'a str>,
    /// Public session identifier.
    pub session_id: Option<&'a SessionId>,
    /// The agent's own words.
    pub session_label: Option<&'a str>,
    /// Request.
    pub request_id: Option<&'a RequestId>,
    /// The person's name for the source.
    pub source_name: Option<&'a str>,
    /// The name that agents see.
    pub source_alias: Option<&'a str>,
    /// Tool.
    pub operation: Option<&'static str>,
    /// Past-tense word.
    pub event: &'static str,
    /// Status of the request after it.
    pub status: Option<&'static str>,
    /// The exact SQL.
    pub sql: Option<&'a str>,
    /// Why the request might run.
    pub authorised_by: Option<&'static str>,
    /// How far a decision reached.
    pub scope: Option<&'static str>,
    /// More for the person.
    pub detail: Option<Cow<'a, str>>,
}

/// Figures that the screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LimitsView {
    /// Time for a decision.
    pub decision_ms: u64,
    /// Time for an operation.
    pub operation_ms: u64,
    /// Rows of one result.
    pub rows_max: u32,
    /// Data of one result in bytes.
    pub result_bytes_max: usize,
}

/// The view of a state.
#[must_use]
pub fn project(state: &State) -> View<'_> {
    let sources = state.sources.iter();
    let documents = state.documents.iter();
    let clients = state.clients.iter();
    let grants = state.grants.iter();
    let requests = state.requests.iter();
    let entries = state.activity.entries().into_iter();
    View {
        server: server(state),
        notices: state
            .notices
            .iter()
            .map(|notice| (notice.code(), self::notice(*notice)))
            .collect(),
        sources: sources.map(|(id, one)| (id.as_str(), source(state, id, one))).collect(),
        documents: documents.map(|(id, one)| (id.as_str(), document(state, id, one))).collect(),
        clients: clients.map(|(id, one)| (id.as_str(), client(state, id, one))).collect(),
        grants: grants.map(|(id, one)| (Padded(id.0), grant(state, *id, one))).collect(),
        requests: requests.map(|(id, one)| (id.as_str(), request(state, id, one))).collect(),
        activity: entries.map(|one| (Padded(one.entry), entry(one))).collect(),
        limits: LimitsView {
            decision_ms: DECISION.0,
            operation_ms: OPERATION.0,
            rows_max: ROWS_MAX,
            result_bytes_max: RESULT_BYTES_MAX,
        },
    }
}

pub(super) fn server(state: &State) -> ServerView {
    let in_memory = state.notices.contains(&Notice::VaultInMemory)
        || state.notices.contains(&Notice::VaultUnavailable);
    ServerView {
        version: env!("CARGO_PKG_VERSION"),
        mcp_url: state.server.port.map(|port| format!("http://127.0.0.1:{port}/mcp")),
        vault: if in_memory { "memory" } else { "keychain" },
        started_at_ms: state.server.started_at.map(|at| at.0),
    }
}

pub(super) fn notice(notice: Notice) -> NoticeView {
    NoticeView {
        code: notice.code(),
        severity: if notice.is_warning() { "warning" } else { "info" },
        message: notice.message(),
        hint: notice.hint(),
    }
}

pub(super) fn source<'a>(state: &'a State, id: &'a SourceId, source: &'a Source) -> SourceView<'a> {
    let mut shared = BTreeMap::new();
    let mut shared_tables = BTreeMap::new();
    // The entries of one source stand together, that of all agents first.
    let entries = state.sharing.range((id.clone(), Audience::AllAgents)..);
    for ((_, audience), share) in entries.take_while(|((shared, _), _)| shared == id) {
        shared.insert(key_of(audience), share.level.word());
        if !share.tables.is_empty() {
            let tables = share.tables.iter().map(|(table, level)| SharedTableView {
                schema: &table.schema,
                name: &table.name,
                access: level.word(),
            });
            shared_tables.insert(key_of(audience), tables.collect());
        }
    }
    SourceView {
        source_id: id,
        name: &source.name,
        alias: &source.alias,
        engine: source.location.engine(),
        location: source.location.describe(),
        context: source.context.as_deref(),
        is_available: source.is_available,
        is_read_only: source.is_read_only,
        read_lock: source.read_lock,
        added_at_ms: source.added_at.0,
        shared,
        shared_tables,
    }
}

fn key_of(audience: &Audience) -> &str {
    match audience {
        Audience::AllAgents => "all_agents",
        Audience::Client(client) => client.as_str(),
    }
}

pub(super) fn document<'a>(
    state: &'a State,
    id: &'a FileId,
    document: &'a Document,
) -> DocumentView<'a> {
    let shared = state.shared_documents.range((id.clone(), Audience::AllAgents)..);
    let shared = shared.take_while(|(file, _)| file == id);
    DocumentView {
        file_id: id,
        name: &document.name,
        alias: &document.alias,
        kind: document.kind.word(),
        version: document.version.0,
        bytes: document.text.bytes(),
        opened_at_ms: document.opened_at.0,
        shared: shared.map(|(_, audience)| key_of(audience)).collect(),
    }
}

pub(super) fn grant<'a>(state: &'a State, id: GrantId, grant: &'a Grant) -> GrantView<'a> {
    let session = state.sessions.get(&grant.session);
    let mut view = GrantView {
        grant_id: id,
        session_id: &grant.session,
        client_id: session.map(|session| &session.client),
        scope: grant.scope.kind().word(),
        request_id: None,
        source_id: grant.scope.source(),
        file_id: grant.scope.file(),
        version: None,
        table: None,
        granted_at_ms: grant.granted_at.0,
    };
    match &grant.scope {
        GrantScope::Once { request } => view.request_id = Some(request),
        GrantScope::Table { table, .. } => view.table = Some(pair(table)),
        GrantScope::Source { .. } | GrantScope::FullSql { .. } => {}
        GrantScope::Document { version, .. } => view.version = Some(version.0),
    }
    view
}

pub(super) fn client<'a>(state: &'a State, id: &'a ClientId, client: &'a Client) -> ClientView<'a> {
    let session = state.sessions.iter().find(|(_, session)| session.client == *id);
    ClientView {
        client_id: id,
        label: &client.label,
        created_at_ms: client.created_at.0,
        session: session.map(|(id, session)| SessionView {
            session_id: id,
            label: session.label.as_deref(),
            began_at_ms: session.began_at.0,
            last_used_at_ms: session.last_used_at.0,
            expires_at_ms: session.ends_at().0,
        }),
    }
}

fn pair(table: &TableName) -> [&str; 2] {
    [&table.schema, &table.name]
}

pub(super) fn request<'a>(
    state: &'a State,
    id: &'a RequestId,
    request: &'a Request,
) -> RequestView<'a> {
    let source = request.target.source().and_then(|source| state.sources.get(source));
    let document = request.target.file().and_then(|file| state.documents.get(file));
    let names = source
        .map(|source| (&*source.name, &*source.alias))
        .or_else(|| document.map(|document| (&*document.name, &*document.alias)));
    let (source_name, source_alias) = names.unzip();
    let session = state.sessions.get(&request.session);
    let (range, touches_all_rows) = match &request.operation {
        Operation::ReadOpenFile { excerpt } => {
            let to = excerpt.from.saturating_add(excerpt.text.bytes());
            (Some([excerpt.from, to, excerpt.snapshot_bytes]), false)
        }
        Operation::RequestSql { write, .. } => {
            (None, write.as_ref().is_some_and(|write| write.touches_all_rows))
        }
        Operation::ListTables
        | Operation::DescribeTable { .. }
        | Operation::ReadTable { .. }
        | Operation::QuerySql { .. }
        | Operation::Refused { .. } => (None, false),
    };
    let scopes = Scope::ALL.iter().filter(|scope| super::grants::fits(request, **scope));
    RequestView {
        request_id: id,
        client_id: &request.client,
        client_label: state.clients.get(&request.client).map(|client| &*client.label),
        session_id: &request.session,
        session_label: session.and_then(|session| session.label.as_deref()),
        source_id: request.target.source(),
        file_id: request.target.file(),
        range,
        source_name,
        source_alias,
        engine: source.map(|source| source.location.engine()),
        location: source.map(|source| source.location.describe()),
        operation: request.operation.word(),
        sql: request.sql().map(|sql| &**sql),
        tables: request.operation.tables().iter().map(pair).collect(),
        may_write: request.operation.may_write(),
        touches_all_rows,
        estimate: request.estimate.as_ref().map(|estimate| EstimateView {
            rows: estimate.rows,
            plan: estimate.plan.text().map(|plan| &**plan),
        }),
        scopes: scopes.map(|scope| scope.word()).collect(),
        status: request.status.word(),
        needs_decision: request.is_waiting() && request.authorisation.is_none(),
        authorised_by: request.authorisation.map(super::state::Authorisation::word),
        rows_max: ROWS_MAX,
        deadline_ms: OPERATION.0,
        submitted_at_ms: request.submitted_at.0,
        expires_at_ms: request.expires_at.0,
    }
}

pub(super) fn entry(entry: &Entry) -> EntryView<'_> {
    EntryView {
        entry: entry.entry,
        at_ms: entry.at.0,
        client_label: entry.client_label.as_deref(),
        session_id: entry.session.as_ref(),
        session_label: entry.session_label.as_deref(),
        request_id: entry.request.as_ref(),
        source_name: entry.resource_name.as_deref(),
        source_alias: entry.resource_alias.as_deref(),
        operation: entry.tool.map(crate::events::Tool::word),
        event: entry.kind.word(),
        status: entry.status.map(Status::word),
        sql: entry.sql.as_deref(),
        authorised_by: entry.authorisation.map(super::state::Authorisation::word),
        scope: entry.scope.map(Scope::word),
        detail: detail_of(entry),
    }
}

/// The words of DBeast, and after them the driver's own.
fn detail_of(entry: &Entry) -> Option<Cow<'_, str>> {
    match (&entry.detail, entry.cause.as_ref().and_then(crate::events::WithheldText::text)) {
        (Some(detail), Some(cause)) => Some(Cow::Owned(format!("{detail} ({cause})"))),
        (Some(words), None) | (None, Some(words)) => Some(Cow::Borrowed(words)),
        (None, None) => None,
    }
}
