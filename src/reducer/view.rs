//! What the person sees: a projection of the state into types of its own. The state itself is never
//! serialised. `docs/interface.md` describes the JSON.

use super::limits::{DECISION, OPERATION, RESULT_BYTES_MAX, ROWS_MAX};
use super::state::{
    Client, Document, Entry, Grant, GrantScope, Request, Session, Source, State, Status,
};
use crate::events::{Audience, Notice, Operation, Scope};
use crate::ids::{ClientId, FileId, GrantId, RequestId, SessionId, SourceId};
use crate::value::{Engine, TableName};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything on the person's screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The program and the agents' door.
    pub server: ServerView,
    /// What the person should know about the program itself, by code.
    pub notices: BTreeMap<&'static str, NoticeView>,
    /// Databases by identifier.
    pub sources: BTreeMap<String, SourceView>,
    /// Open documents by identifier.
    pub documents: BTreeMap<String, DocumentView>,
    /// Agent connections by identifier.
    pub clients: BTreeMap<String, ClientView>,
    /// Grants for a session by identifier.
    pub grants: BTreeMap<String, GrantView>,
    /// Requests by identifier.
    pub requests: BTreeMap<String, RequestView>,
    /// Activity by zero-padded number.
    pub activity: BTreeMap<String, EntryView>,
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
pub struct SourceView {
    /// Identifier.
    pub source_id: SourceId,
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// Which engine.
    pub engine: Engine,
    /// Where it is.
    pub location: String,
    /// The database or schema in which names are looked up.
    pub context: Option<Arc<str>>,
    /// Whether it can be used at all.
    pub is_available: bool,
    /// Whether it never accepts writes.
    pub is_read_only: bool,
    /// When it was added.
    pub added_at_ms: u64,
    /// Levels by `all_agents` or client identifier.
    pub shared: BTreeMap<String, &'static str>,
    /// Tables with a level of their own, by `all_agents` or client identifier.
    pub shared_tables: BTreeMap<String, Vec<SharedTableView>>,
}

/// A table with a level of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedTableView {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its level.
    pub access: &'static str,
}

/// One open document. Its text is not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentView {
    /// Identifier.
    pub file_id: FileId,
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// What kind of text it is.
    pub kind: &'static str,
    /// Which snapshot this is.
    pub version: u64,
    /// Size of the snapshot in bytes.
    pub bytes: u64,
    /// When it was opened.
    pub opened_at_ms: u64,
    /// With whom it is shared: `all_agents` or client identifiers.
    pub shared: Vec<String>,
}

/// One grant for a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrantView {
    /// Identifier.
    pub grant_id: GrantId,
    /// Whose.
    pub session_id: SessionId,
    /// Of which connection.
    pub client_id: Option<ClientId>,
    /// `once`, `table`, `source`, `full_sql` or `document`.
    pub scope: &'static str,
    /// The one request, for `once`.
    pub request_id: Option<RequestId>,
    /// The source that it is about.
    pub source_id: Option<SourceId>,
    /// The document that it is about.
    pub file_id: Option<FileId>,
    /// Which snapshot of it.
    pub version: Option<u64>,
    /// The table, as `[schema, name]`.
    pub table: Option<[String; 2]>,
    /// When it was given.
    pub granted_at_ms: u64,
}

/// One agent connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientView {
    /// Identifier.
    pub client_id: ClientId,
    /// The person's name for it.
    pub label: Arc<str>,
    /// When it was created.
    pub created_at_ms: u64,
    /// Its live session.
    pub session: Option<SessionView>,
}

/// One live session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionView {
    /// Public identifier.
    pub session_id: SessionId,
    /// The agent's own words.
    pub label: Option<Arc<str>>,
    /// When it began.
    pub began_at_ms: u64,
    /// When it was last used.
    pub last_used_at_ms: u64,
    /// When it ends if it is not used again.
    pub expires_at_ms: u64,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestView {
    /// Identifier.
    pub request_id: RequestId,
    /// Whose.
    pub client_id: ClientId,
    /// The person's name for the connection.
    pub client_label: Option<Arc<str>>,
    /// In which session.
    pub session_id: SessionId,
    /// The agent's own words.
    pub session_label: Option<Arc<str>>,
    /// On which source.
    pub source_id: Option<SourceId>,
    /// Of which document.
    pub file_id: Option<FileId>,
    /// The range of it in bytes, as `[from, to, size of the snapshot]`.
    pub range: Option<[u64; 3]>,
    /// The person's name for source or document.
    pub source_name: Option<Arc<str>>,
    /// The name that agents see.
    pub source_alias: Option<Arc<str>>,
    /// Which engine.
    pub engine: Option<Engine>,
    /// Where it is.
    pub location: Option<String>,
    /// Which tool.
    pub operation: &'static str,
    /// The exact text that will run.
    pub sql: Option<Arc<str>>,
    /// Which tables, as `[schema, name]`.
    pub tables: Vec<[String; 2]>,
    /// Whether it may change data.
    pub may_write: bool,
    /// Whether it changes every row of its table, as far as that is known.
    pub touches_all_rows: bool,
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

/// One entry of the activity list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryView {
    /// Counts up.
    pub entry: u64,
    /// When.
    pub at_ms: u64,
    /// The person's name for the connection.
    pub client_label: Option<Arc<str>>,
    /// Public session identifier.
    pub session_id: Option<SessionId>,
    /// The agent's own words.
    pub session_label: Option<Arc<str>>,
    /// Request.
    pub request_id: Option<RequestId>,
    /// The person's name for the source.
    pub source_name: Option<Arc<str>>,
    /// The name that agents see.
    pub source_alias: Option<Arc<str>>,
    /// Tool.
    pub operation: Option<&'static str>,
    /// Past-tense word.
    pub event: &'static str,
    /// Status of the request after it.
    pub status: Option<&'static str>,
    /// The exact SQL.
    pub sql: Option<Arc<str>>,
    /// Why the request might run.
    pub authorised_by: Option<&'static str>,
    /// How far a decision reached.
    pub scope: Option<&'static str>,
    /// More for the person.
    pub detail: Option<Arc<str>>,
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
pub fn project(state: &State) -> View {
    let sources = state.sources.iter().map(|(id, source)| source_view(state, id, source));
    let documents = state.documents.iter().map(|(id, document)| document_view(state, id, document));
    let clients = state.clients.iter().map(|(id, client)| client_view(state, id, client));
    let grants = state.grants.iter().map(|(id, grant)| grant_view(state, *id, grant));
    let requests = state.requests.iter().map(|(id, request)| request_view(state, id, request));
    View {
        server: server_view(state),
        notices: state.notices.iter().map(|notice| (notice.code(), notice_view(*notice))).collect(),
        sources: sources.collect(),
        documents: documents.collect(),
        clients: clients.collect(),
        grants: grants.collect(),
        requests: requests.collect(),
        activity: state.activity.entries().into_iter().map(|entry| entry_view(entry)).collect(),
        limits: LimitsView {
            decision_ms: DECISION.0,
            operation_ms: OPERATION.0,
            rows_max: ROWS_MAX,
            result_bytes_max: RESULT_BYTES_MAX,
        },
    }
}

fn server_view(state: &State) -> ServerView {
    let in_memory = state.notices.contains(&Notice::VaultInMemory)
        || state.notices.contains(&Notice::VaultUnavailable);
    ServerView {
        version: env!("CARGO_PKG_VERSION"),
        mcp_url: state.server.port.map(|port| format!("http://127.0.0.1:{port}/mcp")),
        vault: if in_memory { "memory" } else { "keychain" },
        started_at_ms: state.server.started_at.map(|at| at.0),
    }
}

fn notice_view(notice: Notice) -> NoticeView {
    NoticeView {
        code: notice.code(),
        severity: if notice.is_warning() { "warning" } else { "info" },
        message: notice.message(),
        hint: notice.hint(),
    }
}

fn source_view(state: &State, id: &SourceId, source: &Source) -> (String, SourceView) {
    let entries = || state.sharing.iter().filter(|((shared, _), _)| shared == id);
    let tables = entries().filter(|(_, share)| !share.tables.is_empty());
    let tables = tables.map(|((_, audience), share)| {
        let tables = share.tables.iter().map(|(table, level)| SharedTableView {
            schema: table.schema.clone(),
            name: table.name.clone(),
            access: level.word(),
        });
        (key_of(audience), tables.collect())
    });
    let view = SourceView {
        source_id: id.clone(),
        name: source.name.clone(),
        alias: source.alias.clone(),
        engine: source.location.engine(),
        location: source.location.describe().to_owned(),
        context: source.context.clone(),
        is_available: source.is_available,
        is_read_only: source.is_read_only,
        added_at_ms: source.added_at.0,
        shared: entries()
            .map(|((_, audience), share)| (key_of(audience), share.level.word()))
            .collect(),
        shared_tables: tables.collect(),
    };
    (id.to_string(), view)
}

fn key_of(audience: &Audience) -> String {
    match audience {
        Audience::AllAgents => "all_agents".to_owned(),
        Audience::Client(client) => client.to_string(),
    }
}

fn document_view(state: &State, id: &FileId, document: &Document) -> (String, DocumentView) {
    let shared = state.shared_documents.iter().filter(|(file, _)| file == id);
    let view = DocumentView {
        file_id: id.clone(),
        name: document.name.clone(),
        alias: document.alias.clone(),
        kind: document.kind.word(),
        version: document.version.0,
        bytes: document.text.bytes(),
        opened_at_ms: document.opened_at.0,
        shared: shared.map(|(_, audience)| key_of(audience)).collect(),
    };
    (id.to_string(), view)
}

fn grant_view(state: &State, id: GrantId, grant: &Grant) -> (String, GrantView) {
    let session = state.sessions.get(&grant.session);
    let mut view = GrantView {
        grant_id: id,
        session_id: grant.session.clone(),
        client_id: session.map(|session| session.client.clone()),
        scope: grant.scope.kind().word(),
        request_id: None,
        source_id: grant.scope.source().cloned(),
        file_id: grant.scope.file().cloned(),
        version: None,
        table: None,
        granted_at_ms: grant.granted_at.0,
    };
    match &grant.scope {
        GrantScope::Once { request } => view.request_id = Some(request.clone()),
        GrantScope::Table { table, .. } => {
            view.table = Some([table.schema.clone(), table.name.clone()]);
        }
        GrantScope::Source { .. } | GrantScope::FullSql { .. } => {}
        GrantScope::Document { version, .. } => view.version = Some(version.0),
    }
    // Zero-padded, so that the order of the texts is the order of the numbers.
    (format!("{:012}", id.0), view)
}

fn client_view(state: &State, id: &ClientId, client: &Client) -> (String, ClientView) {
    let session = state.sessions.iter().find(|(_, session)| session.client == *id);
    let view = ClientView {
        client_id: id.clone(),
        label: client.label.clone(),
        created_at_ms: client.created_at.0,
        session: session.map(|(id, session)| session_view(id, session)),
    };
    (id.to_string(), view)
}

fn session_view(id: &SessionId, session: &Session) -> SessionView {
    SessionView {
        session_id: id.clone(),
        label: session.label.clone(),
        began_at_ms: session.began_at.0,
        last_used_at_ms: session.last_used_at.0,
        expires_at_ms: session.ends_at().0,
    }
}

fn request_view(state: &State, id: &RequestId, request: &Request) -> (String, RequestView) {
    let source = request.target.source().and_then(|source| state.sources.get(source));
    let document = request.target.file().and_then(|file| state.documents.get(file));
    let names = source
        .map(|source| (source.name.clone(), source.alias.clone()))
        .or_else(|| document.map(|document| (document.name.clone(), document.alias.clone())));
    let (source_name, source_alias) = names.unzip();
    let pair = |table: &TableName| [table.schema.clone(), table.name.clone()];
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
    let fits = |scope: &Scope| super::grants::scope_of(id, request, *scope).is_some();
    let view = RequestView {
        request_id: id.clone(),
        client_id: request.client.clone(),
        client_label: state.clients.get(&request.client).map(|client| client.label.clone()),
        session_id: request.session.clone(),
        session_label: session.and_then(|session| session.label.clone()),
        source_id: request.target.source().cloned(),
        file_id: request.target.file().cloned(),
        range,
        source_name,
        source_alias,
        engine: source.map(|source| source.location.engine()),
        location: source.map(|source| source.location.describe().to_owned()),
        operation: request.operation.word(),
        sql: request.sql().cloned(),
        tables: request.operation.tables().iter().map(pair).collect(),
        may_write: request.operation.may_write(),
        touches_all_rows,
        scopes: Scope::ALL.iter().filter(|scope| fits(scope)).map(|scope| scope.word()).collect(),
        status: request.status.word(),
        needs_decision: request.status == Status::Pending && request.authorisation.is_none(),
        authorised_by: request.authorisation.map(super::state::Authorisation::word),
        rows_max: ROWS_MAX,
        deadline_ms: OPERATION.0,
        submitted_at_ms: request.submitted_at.0,
        expires_at_ms: request.expires_at.0,
    };
    (id.to_string(), view)
}

fn entry_view(entry: &Entry) -> (String, EntryView) {
    let view = EntryView {
        entry: entry.entry,
        at_ms: entry.at.0,
        client_label: entry.client_label.clone(),
        session_id: entry.session.clone(),
        session_label: entry.session_label.clone(),
        request_id: entry.request.clone(),
        source_name: entry.resource_name.clone(),
        source_alias: entry.resource_alias.clone(),
        operation: entry.tool.map(crate::events::Tool::word),
        event: entry.kind.word(),
        status: entry.status.map(Status::word),
        sql: entry.sql.clone(),
        authorised_by: entry.authorisation.map(super::state::Authorisation::word),
        scope: entry.scope.map(Scope::word),
        detail: detail_of(entry),
    };
    (format!("{:012}", entry.entry), view)
}

/// The words of DBeast, and after them the driver's own.
fn detail_of(entry: &Entry) -> Option<Arc<str>> {
    match (&entry.detail, entry.cause.as_ref().and_then(crate::events::WithheldText::text)) {
        (Some(detail), Some(cause)) => Some(Arc::from(format!("{detail} ({cause})"))),
        (Some(words), None) | (None, Some(words)) => Some(words.clone()),
        (None, None) => None,
    }
}
