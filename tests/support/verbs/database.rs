//! `shop …`: a database. It answers the oldest work that it has, or the task that is named.

use super::super::Told;
use super::super::checks::CELL_MARK;
use super::super::world::{World, location};
use super::{quoted, split};
use dbeast::events::{ResultBody, ResultPayload, TaskEvent, TaskOutcome};
use dbeast::ids::TaskId;
use dbeast::reason::{DatabaseReason, Reason};
use dbeast::value::{
    Cell, ColumnDescription, Guard, Rows, TableDescription, TableEntry, TableName,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;

pub(super) fn act(world: &mut World, name: &str, deed: &str) -> Told<()> {
    let (deed, task) = match deed.rsplit_once(" for t") {
        Some((deed, task)) => {
            (deed, TaskId(task.parse().map_err(|_| format!("`t{task}` is no task"))?))
        }
        None => (deed, oldest(world, name)?),
    };
    let outcome = outcome(deed)?;
    world.send(TaskEvent::Finished { task, outcome }).map(drop)
}

fn oldest(world: &World, name: &str) -> Told<TaskId> {
    let here = location(name);
    let mut work = world.outstanding.iter().filter(|(_, work)| work.location == here);
    work.next().map(|(task, _)| *task).ok_or_else(|| format!("{name} has nothing to do"))
}

fn outcome(deed: &str) -> Told<TaskOutcome> {
    match deed {
        "stops as told" => return Ok(TaskOutcome::Cancelled),
        "runs out of time" => return Ok(TaskOutcome::DeadlineExceeded),
        _ => {}
    }
    if let Some(what) = deed.strip_prefix("fails: ") {
        let (code, cause) = match what.split_once(", saying ") {
            Some((code, words)) => (code, Some(Arc::from(quoted(words)?))),
            None => (what, None),
        };
        let reason = DatabaseReason::ALL.iter().find(|reason| reason.code() == code);
        let reason = *reason.ok_or_else(|| format!("`{code}` is no reason of a database"))?;
        return Ok(TaskOutcome::Failed { reason: Reason::Database(reason), cause });
    }
    let what = deed.strip_prefix("answers ").ok_or("a database answers, fails or stops")?;
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
    Ok(TaskOutcome::Completed(ResultBody::new(payload, digest, bytes)))
}

fn rows(number: usize) -> ResultPayload {
    let rows = (0..number).map(|index| vec![Cell::Text(format!("{CELL_MARK} {index}"))]).collect();
    let columns = vec!["id".to_owned()];
    let guards = vec![Guard::TypedStatement, Guard::ReadOnlyHandle, Guard::TableProof];
    ResultPayload::Rows { rows: Rows { columns, rows, truncated: false, guards }, elapsed_ms: 3 }
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
