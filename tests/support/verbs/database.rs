//! `shop …`: a database. It answers the oldest work that it has, or the task that is named.

use super::super::Told;
use super::super::checks::CELL_MARK;
use super::super::world::{Place, World};
use super::{digest, document, split, table_name};
use dbeast::events::{ResultBody, ResultPayload, TaskEvent, TaskOutcome};
use dbeast::ids::TaskId;
use dbeast::reason::{DatabaseReason, Reason};
use dbeast::transcript::words;
use dbeast::value::{
    Cell, ColumnDescription, Guard, ObjectIdentity, ReadLock, Rows, TableDescription, TableEntry,
    TableName,
};
use sha2::{Digest, Sha256};

pub(super) fn act(world: &mut World, name: &str, deed: &str) -> Told<()> {
    let (deed, task) = match deed.rsplit_once(" for t") {
        Some((deed, task)) => {
            (deed, TaskId(task.parse().map_err(|_| format!("`t{task}` is no task"))?))
        }
        None => (deed, oldest(world, name)?),
    };
    if deed == "is ready to send" {
        return world.send(TaskEvent::ReadyToSend { task }).map(drop);
    }
    let outcome = outcome(world, deed)?;
    world.send(TaskEvent::Finished { task, outcome }).map(drop)
}

fn oldest(world: &World, name: &str) -> Told<TaskId> {
    let is_here = |place: &Place| match place {
        Place::Database(location) => words::place(location) == name,
        Place::Document(_) => false,
    };
    let mut work = world.outstanding.iter().filter(|(_, work)| is_here(&work.place));
    work.next().map(|(task, _)| *task).ok_or_else(|| format!("{name} has nothing to do"))
}

fn outcome(world: &mut World, deed: &str) -> Told<TaskOutcome> {
    match deed {
        "finds another table" => return Ok(TaskOutcome::IdentityChanged),
        "stops as told" => return Ok(TaskOutcome::Cancelled),
        "runs out of time" => return Ok(TaskOutcome::DeadlineExceeded),
        _ => {}
    }
    let (deed, cause) = match deed.split_once(", saying ") {
        Some((deed, words)) => (deed, Some(document::text(world, words)?)),
        None => (deed, None),
    };
    if deed == "loses the connection" {
        return Ok(TaskOutcome::OutcomeUnknown { cause });
    }
    if let Some(code) = deed.strip_prefix("fails: ") {
        let reason = DatabaseReason::ALL.iter().find(|reason| reason.code() == code);
        let reason = *reason.ok_or_else(|| format!("`{code}` is no reason of a database"))?;
        return Ok(TaskOutcome::Failed { reason: Reason::Database(reason), cause });
    }
    let what = deed.strip_prefix("answers ").ok_or("a database answers, fails or stops")?;
    let (what, identities) = match what.split_once(", ") {
        Some((what, proven)) => (what, proven.split(", ").map(proof).collect::<Told<_>>()?),
        None => (what, Vec::new()),
    };
    let (what, lock) = match what.split_once(" under the ") {
        Some((what, "weak lock")) => (what, Some(ReadLock::Weak)),
        Some((what, "full lock")) => (what, Some(ReadLock::Full)),
        Some((_, lock)) => return Err(format!("a table is not held by the {lock}")),
        None => (what, None),
    };
    if let Some((bytes, words)) = what.split_once(" bytes: ") {
        let bytes = bytes.parse().map_err(|_| format!("`{bytes}` is no number"))?;
        let body = ResultBody::new(ResultPayload::Withheld, digest(words)?, bytes).held_by(lock);
        return Ok(TaskOutcome::Completed { body, identities });
    }
    let (number, noun) = split(what, " ")?;
    let number: usize = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    let payload = match noun.trim_end_matches('s') {
        "row" => rows(number),
        "table" => tables(number),
        "column" => columns(number),
        noun => return Err(format!("a database cannot answer `{noun}`")),
    };
    let json = serde_json::to_vec(&payload).map_err(|error| error.to_string())?;
    let bytes = u64::try_from(json.len()).map_err(|error| error.to_string())?;
    let digest = Sha256::digest(&json).into();
    let body = ResultBody::new(payload, digest, bytes).held_by(lock);
    Ok(TaskOutcome::Completed { body, identities })
}

/// `main.orders is object 7` (or its whole identity): what the proof saw.
fn proof(words: &str) -> Told<(TableName, ObjectIdentity)> {
    let (table, number) = split(words, " is object ")?;
    let identity = match number.parse::<u8>() {
        Ok(number) => [number; 32],
        Err(_) => digest(number)?,
    };
    Ok((table_name(table)?, ObjectIdentity(identity)))
}

fn rows(number: usize) -> ResultPayload {
    let rows = (0..number).map(|index| vec![Cell::Text(format!("{CELL_MARK} {index}"))]).collect();
    let columns = vec!["id".to_owned()];
    let guards = vec![Guard::TypedStatement, Guard::ReadOnlyHandle, Guard::TableProof];
    ResultPayload::Rows { rows: Rows { columns, rows, guards, ..Rows::default() }, elapsed_ms: 3 }
}

fn table(index: usize) -> TableName {
    TableName { schema: "main".to_owned(), name: format!("{CELL_MARK} {index}") }
}

fn tables(number: usize) -> ResultPayload {
    let entry = |index| TableEntry { table: table(index), kind: "table".to_owned() };
    ResultPayload::Tables { tables: (0..number).map(entry).collect(), truncated: false }
}

fn columns(number: usize) -> ResultPayload {
    let column = |index| ColumnDescription {
        name: format!("{CELL_MARK} {index}"),
        declared_type: "TEXT".to_owned(),
        nullable: true,
        primary_key_position: None,
    };
    ResultPayload::Table(TableDescription {
        table: table(0),
        columns: (0..number).map(column).collect(),
        guards: vec![Guard::ReadOnlyHandle],
    })
}
