//! How events, effects and answers read in a transcript. Our own words, never a `Debug` output:
//! a renamed field must not rewrite every transcript. Secrets have no words at all.

use super::names;
use crate::events::{
    Audience, ClientEvent, DocumentEvent, Event, Excerpt, GrantEvent, Level, Operation,
    RequestEvent, ResultBody, ResultPayload, ServerEvent, SessionEvent, SharingEvent, SourceChange,
    SourceEvent, SourceLocation, TableLevel, Target, TaskEvent, TaskOutcome, WithheldText,
    WriteEstimate,
};
use crate::reducer::read::Reading;
use crate::reducer::state::{GrantScope, Problem, Status};
use crate::reducer::{Answer, Effect, Refusal, Work};
use crate::time::{Duration, Millis};
use crate::value::ReadLock;

/// The start of every story: 2026-01-01 00:00:00 UTC. A recording counts from its own first event.
pub const START: Millis = Millis(1_767_225_600_000);

/// A point in time as its distance from a start.
#[must_use]
pub fn offset(at: Millis, start: Millis) -> String {
    if at < start {
        return format!("-{}", length(start.since(at)));
    }
    format!("+{}", length(at.since(start)))
}

/// A length of time: `2h`, `4m 59.999s`.
#[must_use]
pub fn length(duration: Duration) -> String {
    let minutes = duration.0 / 60_000;
    let rest = Duration(duration.0 % 60_000);
    match (minutes, rest.0) {
        (0, 0) => "0s".to_owned(),
        (0, _) => rest.to_string(),
        (minutes, 0) if minutes % 60 == 0 => format!("{}h", minutes / 60),
        (minutes, 0) => format!("{minutes}m"),
        (minutes, _) => format!("{minutes}m {rest}"),
    }
}

/// One event: its name and what is particular about it.
#[must_use]
pub fn event(event: &Event) -> String {
    let details = match event {
        Event::Client(ClientEvent::Created { client, label, .. }) => {
            format!("{client} \"{label}\"")
        }
        Event::Client(ClientEvent::Revoked { client }) => client.to_string(),
        Event::Session(SessionEvent::Began { client, session, label, .. }) => match label {
            Some(label) => format!("{session} client={client} label=\"{label}\""),
            None => format!("{session} client={client}"),
        },
        Event::Session(SessionEvent::Used { client, session }) => {
            format!("{session} client={client}")
        }
        Event::Session(SessionEvent::Ended { client, .. }) => format!("client={client}"),
        Event::Session(SessionEvent::Revoked { session }) => session.to_string(),
        Event::Source(event) => source_event(event),
        Event::Document(event) => document_event(event),
        Event::Sharing(SharingEvent::Set { source, audience: whom, level }) => {
            format!("{source} {} {}", audience(whom), level_word(*level))
        }
        Event::Sharing(SharingEvent::TableSet { source, audience: whom, table, level }) => {
            let level = level.map_or("none", TableLevel::word);
            format!("{source} {table} {} {level}", audience(whom))
        }
        Event::Grant(GrantEvent::Revoked { grant }) => grant.to_string(),
        Event::Request(event) => request_event(event),
        Event::Task(TaskEvent::ReadyToSend { task }) => task.to_string(),
        Event::Task(TaskEvent::Finished { task, outcome: how }) => {
            format!("{task} {}", outcome(how))
        }
        Event::Server(event) => server_event(event),
    };
    format!("{} {details}", names::event(event)).trim_end().to_owned()
}

fn source_event(event: &SourceEvent) -> String {
    match event {
        SourceEvent::Added { source, name, alias, location, is_read_only } => {
            let alias =
                alias.as_ref().map(|alias| format!(" alias=\"{alias}\"")).unwrap_or_default();
            let mark = if *is_read_only { " read-only" } else { "" };
            format!("{source} \"{name}\"{}{alias}{mark}", engine_clause(location))
        }
        SourceEvent::Renamed { source, name, alias } => {
            format!("{source} \"{name}\" alias=\"{alias}\"")
        }
        SourceEvent::Changed { source, change } => format!("{source} {}", change_word(change)),
        SourceEvent::Removed { source } => source.to_string(),
    }
}

fn change_word(change: &SourceChange) -> String {
    match change {
        SourceChange::Connection { location } => {
            format!("connection {}{}", place(location), engine_clause(location))
        }
        SourceChange::Password => "password".to_owned(),
        SourceChange::Context { context: Some(context) } => format!("context {context}"),
        SourceChange::Context { context: None } => "context none".to_owned(),
        SourceChange::Availability { is_available: true } => "available".to_owned(),
        SourceChange::Availability { is_available: false } => "unavailable".to_owned(),
        SourceChange::ReadOnly { is_read_only: true } => "read-only".to_owned(),
        SourceChange::ReadOnly { is_read_only: false } => "writable".to_owned(),
        SourceChange::ReadLock { lock } => format!("{} read lock", lock_word(*lock)),
    }
}

/// How tables are held during a read.
#[must_use]
pub const fn lock_word(lock: ReadLock) -> &'static str {
    match lock {
        ReadLock::Full => "full",
        ReadLock::Weak => "weak",
    }
}

fn document_event(event: &DocumentEvent) -> String {
    match event {
        DocumentEvent::Opened { file, name, alias, text, .. } => {
            let alias =
                alias.as_ref().map(|alias| format!(" alias=\"{alias}\"")).unwrap_or_default();
            format!("{file} \"{name}\"{alias} {}", size(text))
        }
        DocumentEvent::Changed { file, text } | DocumentEvent::Reverted { file, text } => {
            format!("{file} {}", size(text))
        }
        DocumentEvent::Closed { file } => file.to_string(),
        DocumentEvent::Shared { file, audience: whom, is_shared } => {
            format!("{file} {} {}", audience(whom), if *is_shared { "ask" } else { "none" })
        }
    }
}

fn size(text: &WithheldText) -> String {
    format!("{} bytes", text.bytes())
}

/// Bytes of a range of a snapshot.
fn range(excerpt: &Excerpt) -> String {
    let to = excerpt.from.saturating_add(excerpt.text.bytes());
    format!("bytes {} to {to} of {}", excerpt.from, excerpt.snapshot_bytes)
}

/// On what a request works.
#[must_use]
pub fn target(target: &Target) -> String {
    match target {
        Target::Source { source, .. } => source.to_string(),
        Target::Document { file, version } => format!("{file} {version}"),
    }
}

/// What a grant covers.
#[must_use]
pub fn scope(scope: &GrantScope) -> String {
    match scope {
        GrantScope::Once { request } => format!("once {request}"),
        GrantScope::Table { source, table, identity, .. } => {
            let pinned = if identity.is_some() { " pinned" } else { "" };
            format!("table {table} of {source}{pinned}")
        }
        GrantScope::Source { source, .. } => format!("source {source}"),
        GrantScope::FullSql { source, .. } => format!("full_sql {source}"),
        GrantScope::Document { file, version } => format!("document {file} {version}"),
    }
}

fn request_event(event: &RequestEvent) -> String {
    match event {
        RequestEvent::Submitted(made) => {
            let operation = operation(&made.operation);
            format!(
                "{} client={} key={} {} {operation}",
                made.request,
                made.client,
                made.key,
                target(&made.target)
            )
        }
        RequestEvent::Allowed { request, scope } => format!("{request} {}", scope.word()),
        RequestEvent::Denied { request, note: None } => request.to_string(),
        RequestEvent::Denied { request, note: Some(note) } => format!("{request} \"{note}\""),
        RequestEvent::Cancelled { client, request, .. } => format!("{request} client={client}"),
        RequestEvent::Estimated { request, estimate } => {
            format!("{request} {}", estimate_words(estimate))
        }
    }
}

/// What a database expects: how many rows, and how long its plan is.
#[must_use]
pub fn estimate_words(estimate: &WriteEstimate) -> String {
    let rows = estimate.rows.map_or_else(
        || "some rows".to_owned(),
        |rows| match rows {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        },
    );
    format!("{rows}, plan of {}", size(&estimate.plan))
}

fn server_event(event: &ServerEvent) -> String {
    match event {
        ServerEvent::Restored { clients, sources, sharing } => format!(
            "{} connections, {} sources, {} sharing entries",
            clients.len(),
            sources.len(),
            sharing.len()
        ),
        ServerEvent::Started { .. }
        | ServerEvent::Stopped
        | ServerEvent::AllStopped
        | ServerEvent::TimePassed => String::new(),
        ServerEvent::NoticeRaised { notice } | ServerEvent::NoticeCleared { notice } => {
            notice.code().to_owned()
        }
    }
}

/// What a request does, with its text on one line.
#[must_use]
pub fn operation(operation: &Operation) -> String {
    match operation {
        Operation::ListTables => "list_tables".to_owned(),
        Operation::DescribeTable { table } => {
            format!("describe_table {table}")
        }
        Operation::ReadTable { read } => format!("read_table `{}`", one_line(&read.sql)),
        Operation::QuerySql { read } => format!("query_sql `{}`", one_line(&read.sql)),
        Operation::RequestSql { sql, write: None } => format!("request_sql `{}`", one_line(sql)),
        Operation::RequestSql { sql, write: Some(write) } => {
            let all = if write.touches_all_rows { ", all rows" } else { "" };
            format!("request_sql `{}` (writes {}{all})", one_line(sql), write.table)
        }
        Operation::ReadOpenFile { excerpt } => format!("read_open_file {}", range(excerpt)),
        Operation::Refused { text } => {
            format!("refused text ({}) `{}`", text.reason.code(), one_line(&text.sql))
        }
    }
}

fn one_line(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For whom an entry of the sharing table holds.
#[must_use]
pub fn audience(audience: &Audience) -> String {
    match audience {
        Audience::AllAgents => "all agents".to_owned(),
        Audience::Client(client) => client.to_string(),
    }
}

/// A level, or its absence.
#[must_use]
pub fn level_word(level: Option<Level>) -> &'static str {
    level.map_or("none", Level::word)
}

fn outcome(outcome: &TaskOutcome) -> String {
    match outcome {
        TaskOutcome::Completed { body, identities } => {
            let proven: Vec<String> = identities
                .iter()
                .map(|(table, identity)| format!("{table} is {identity:?}"))
                .collect();
            let proven =
                if proven.is_empty() { String::new() } else { format!("; {}", proven.join(", ")) };
            format!("completed, {}{proven}", result(body))
        }
        TaskOutcome::Failed { reason, cause: None } => format!("failed: {}", reason.code()),
        TaskOutcome::Failed { reason, cause: Some(cause) } => {
            format!("failed: {} {}", reason.code(), driver(cause))
        }
        TaskOutcome::IdentityChanged => "the table is another one".to_owned(),
        TaskOutcome::Cancelled => "cancelled".to_owned(),
        TaskOutcome::DeadlineExceeded => "deadline exceeded".to_owned(),
        TaskOutcome::OutcomeUnknown { cause: None } => "outcome unknown".to_owned(),
        TaskOutcome::OutcomeUnknown { cause: Some(cause) } => {
            format!("outcome unknown {}", driver(cause))
        }
    }
}

/// The driver's own words, which no log holds.
fn driver(cause: &WithheldText) -> String {
    format!("(driver: {})", size(cause))
}

/// How much there is, never what.
#[must_use]
pub fn result(body: &ResultBody) -> String {
    match body.payload() {
        ResultPayload::Rows { rows, .. } => count(rows.rows.len(), "row"),
        ResultPayload::Tables { tables, .. } => count(tables.len(), "table"),
        ResultPayload::Table(table) => count(table.columns.len(), "column"),
        ResultPayload::Text { text, .. } => count(text.len(), "byte"),
        ResultPayload::Withheld => format!("{} bytes, withheld", body.bytes()),
    }
}

/// `1 row`, `2 rows`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// One effect, with times as distances from a start.
#[must_use]
pub fn effect(effect: &Effect, start: Millis) -> String {
    match effect {
        Effect::RunTask { task, request, place: at, work, pinned, deadline, .. } => {
            let context = at.context.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
            let pinned = pinned
                .as_ref()
                .map(|(table, identity)| format!(", {table} must be {identity:?}"))
                .unwrap_or_default();
            format!(
                "run {task} for {request} at {}{context}: {} within {deadline}{pinned}{}",
                place(&at.location),
                kind_of(work),
                if at.read_lock == ReadLock::Weak { ", held by the weaker lock" } else { "" }
            )
        }
        Effect::Estimate { request, place: at, write } => {
            format!("estimate {request} at {}: `{}`", place(&at.location), one_line(&write.sql))
        }
        Effect::SendStatement { task } => format!("let {task} send its statement"),
        Effect::ReadDocument { task, request, excerpt } => {
            format!("run {task} for {request}: hand out {}", range(excerpt))
        }
        Effect::CancelTask { task } => format!("tell {task} to stop"),
        Effect::SetAlarm { at: Some(at) } => format!("set the alarm to {}", offset(*at, start)),
        Effect::SetAlarm { at: None } => "switch the alarm off".to_owned(),
        Effect::SaveVault { clients, sharing } => format!(
            "save the vault: {}, {}",
            count(clients.len(), "connection"),
            if sharing.len() == 1 {
                "1 sharing entry".to_owned()
            } else {
                format!("{} sharing entries", sharing.len())
            }
        ),
        Effect::SaveSources { sources } => {
            format!("save the configuration: {}", count(sources.len(), "source"))
        }
    }
}

fn kind_of(work: &Work) -> String {
    match work {
        Work::ListTables => "list tables".to_owned(),
        Work::DescribeTable { .. } => "describe".to_owned(),
        Work::Read { .. } => "read".to_owned(),
        Work::TableWrite { write } => format!("write `{}`", one_line(&write.sql)),
        Work::FullSql { sql } => format!("run `{}`", one_line(sql)),
    }
}

/// The name of the database at this place; stories put `shop` at `shop.db`.
#[must_use]
pub fn place(location: &SourceLocation) -> &str {
    match location {
        SourceLocation::Sqlite { path } => path.strip_suffix(".db").unwrap_or(path),
        SourceLocation::Postgres(place)
        | SourceLocation::Mysql(place)
        | SourceLocation::Mariadb(place) => &place.database,
    }
}

/// ` on PostgreSQL`, of a database that is no file.
#[must_use]
pub const fn engine_clause(location: &SourceLocation) -> &'static str {
    match location {
        SourceLocation::Sqlite { .. } => "",
        SourceLocation::Postgres(_) => " on PostgreSQL",
        SourceLocation::Mysql(_) => " on MySQL",
        SourceLocation::Mariadb(_) => " on MariaDB",
    }
}

/// The answer to whoever sent an event.
#[must_use]
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Done => "done".to_owned(),
        Answer::Request { request, is_new: true } => format!("{request} new"),
        Answer::Request { request, is_new: false } => format!("{request} again"),
    }
}

/// A refusal; a refused text says which reason.
#[must_use]
pub fn refusal(refusal: &Refusal) -> String {
    match refusal.reason() {
        Some(reason) => format!("unsupported: {}", reason.code()),
        None => names::refusal(refusal).to_owned(),
    }
}

/// What an agent reads about a request.
#[must_use]
pub fn reading(reading: &Result<Reading<'_>, Refusal>) -> String {
    match reading {
        Err(why) => format!("refused: {}", refusal(why)),
        Ok(reading) => {
            let mut words = status_and_problem(reading.status, reading.problem);
            if let Some(body) = reading.result {
                words.push_str(", ");
                words.push_str(&result(body));
            }
            if let Some(wait) = reading.poll_after_ms {
                words.push_str(", ask again in ");
                words.push_str(&length(Duration(wait)));
            }
            words
        }
    }
}

/// A status with what went wrong.
#[must_use]
pub fn status_and_problem(status: Status, problem: Option<&Problem>) -> String {
    let word = status.word();
    match problem {
        Some(Problem::Denied { note: Some(note) }) => format!("{word}: \"{note}\""),
        Some(Problem::DecisionExpired) => format!("{word}: no decision in time"),
        Some(Problem::DeadlineExceeded) => format!("{word}: took too long"),
        Some(Problem::Failed(reason)) => format!("{word}: {}", reason.code()),
        Some(
            Problem::Denied { note: None }
            | Problem::Cancelled
            | Problem::Revoked
            | Problem::OutcomeUnknown
            | Problem::ResultRevoked,
        )
        | None => word.to_owned(),
    }
}
