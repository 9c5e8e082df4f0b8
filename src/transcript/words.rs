//! How events, effects and answers read in a transcript. Our own words, never a `Debug` output:
//! a renamed field must not rewrite every transcript. Secrets have no words at all.

use super::names;
use crate::events::{
    Audience, ClientEvent, Event, Level, Operation, RequestEvent, ResultBody, ResultPayload,
    ServerEvent, SessionEvent, SharingEvent, SourceEvent, SourceLocation, TaskEvent, TaskOutcome,
};
use crate::reducer::read::Reading;
use crate::reducer::state::{Problem, Status};
use crate::reducer::{Answer, Effect, Refusal, Work};
use crate::time::{Duration, Millis};

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
        Event::Source(SourceEvent::Added { source, name, alias, .. }) => match alias {
            Some(alias) => format!("{source} \"{name}\" alias=\"{alias}\""),
            None => format!("{source} \"{name}\""),
        },
        Event::Source(SourceEvent::Removed { source }) => source.to_string(),
        Event::Sharing(SharingEvent::Set { source, audience: whom, level }) => {
            format!("{source} {} {}", audience(whom), level_word(*level))
        }
        Event::Request(event) => request_event(event),
        Event::Task(TaskEvent::Finished { task, outcome: how }) => {
            format!("{task} {}", outcome(how))
        }
        Event::Server(event) => server_event(event),
    };
    format!("{} {details}", names::event(event)).trim_end().to_owned()
}

fn request_event(event: &RequestEvent) -> String {
    match event {
        RequestEvent::Submitted(made) => {
            let operation = operation(&made.operation);
            format!(
                "{} client={} key={} {} {operation}",
                made.request, made.client, made.key, made.source
            )
        }
        RequestEvent::AllowedOnce { request } | RequestEvent::Denied { request, note: None } => {
            request.to_string()
        }
        RequestEvent::Denied { request, note: Some(note) } => format!("{request} \"{note}\""),
        RequestEvent::Cancelled { client, request, .. } => format!("{request} client={client}"),
    }
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
            format!("describe_table {}.{}", table.schema, table.name)
        }
        Operation::ReadTable { read } => format!("read_table `{}`", one_line(&read.sql)),
        Operation::QuerySql { read } => format!("query_sql `{}`", one_line(&read.sql)),
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
        TaskOutcome::Completed(body) => format!("completed, {}", result(body)),
        TaskOutcome::Failed { reason, cause: None } => format!("failed: {}", reason.code()),
        TaskOutcome::Failed { reason, cause: Some(cause) } => {
            format!("failed: {} (driver: \"{cause}\")", reason.code())
        }
        TaskOutcome::Cancelled => "cancelled".to_owned(),
        TaskOutcome::DeadlineExceeded => "deadline exceeded".to_owned(),
    }
}

/// How much there is, never what.
#[must_use]
pub fn result(body: &ResultBody) -> String {
    match body.payload() {
        ResultPayload::Rows { rows, .. } => count(rows.rows.len(), "row"),
        ResultPayload::Tables { tables, .. } => count(tables.len(), "table"),
        ResultPayload::Table(table) => count(table.columns.len(), "column"),
        ResultPayload::Withheld => "withheld".to_owned(),
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
        Effect::RunTask { task, request, location, work, deadline } => format!(
            "run {task} for {request} at {}: {} within {deadline}",
            place(location),
            kind_of(work)
        ),
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

fn kind_of(work: &Work) -> &'static str {
    match work {
        Work::ListTables => "list tables",
        Work::DescribeTable { .. } => "describe",
        Work::Read { .. } => "read",
    }
}

/// The name of the database at this place; stories put `shop` at `shop.db`.
#[must_use]
pub fn place(location: &SourceLocation) -> &str {
    match location {
        SourceLocation::Sqlite { path } => path.strip_suffix(".db").unwrap_or(path),
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
#[expect(clippy::trivially_copy_pass_by_ref, reason = "all words take what they tell by reference")]
#[must_use]
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Unsupported(reason) => format!("unsupported: {}", reason.code()),
        Refusal::ServerStopped
        | Refusal::SessionExpired
        | Refusal::ResourceUnavailable
        | Refusal::RequestConflict
        | Refusal::SessionPendingLimit
        | Refusal::PendingLimit
        | Refusal::KeyLimit
        | Refusal::SessionLimit
        | Refusal::ClientLimit
        | Refusal::SourceLimit
        | Refusal::NotPending
        | Refusal::AlreadyAllowed
        | Refusal::Unknown
        | Refusal::IdentifierInUse
        | Refusal::LateAnswer
        | Refusal::NotAtStart => names::refusal(refusal).to_owned(),
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
        Some(Problem::Denied { note: None } | Problem::Cancelled | Problem::Revoked) | None => {
            word.to_owned()
        }
    }
}
