//! `notes …`: an open document. It hands out what was asked of it.

use super::super::Told;
use super::super::world::{Place, World};
use dbeast::events::{ResultBody, ResultPayload, TaskEvent, TaskOutcome, WithheldText};
use dbeast::ids::TaskId;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// `notes is handed out`, or one task of several with `for t2`.
pub(super) fn act(world: &mut World, name: &str, deed: &str) -> Told<()> {
    let (deed, task) = match deed.rsplit_once(" for t") {
        Some((deed, task)) => {
            (deed, Some(TaskId(task.parse().map_err(|_| format!("`t{task}` is no task"))?)))
        }
        None => (deed, None),
    };
    if deed != "is handed out" {
        // What a recording tells of it: the same as of a database.
        let task = task.ok_or("a document only `is handed out`")?;
        return super::database::act(world, name, &format!("{deed} for {task}"));
    }
    let work = world.outstanding.iter().find_map(|(id, work)| match &work.place {
        Place::Document(excerpt) if task.is_none_or(|task| task == *id) => {
            Some((*id, excerpt.clone()))
        }
        Place::Document(_) | Place::Database(_) => None,
    });
    let (task, excerpt) = work.ok_or_else(|| format!("nothing is read from {name}"))?;
    let text = excerpt.text.text().cloned().unwrap_or_default();
    let bytes = excerpt.text.bytes();
    let digest = Sha256::digest(text.as_bytes()).into();
    let payload =
        ResultPayload::Text { from: excerpt.from, text, snapshot_bytes: excerpt.snapshot_bytes };
    let body = ResultBody::new(payload, digest, bytes);
    let outcome = TaskOutcome::Completed { body, identities: Vec::new() };
    world.send(TaskEvent::Finished { task, outcome }).map(drop)
}

/// `"the text"`, `20 bytes`, `4 MiB`, or `20 bytes: …` with its digest.
pub(super) fn text(world: &mut World, words: &str) -> Told<WithheldText> {
    if words.starts_with('"') {
        let text = super::quoted(words)?;
        return Ok(world.withhold(&text));
    }
    if let Some((bytes, digest)) = words.split_once(" bytes: ") {
        let bytes: u64 = bytes.parse().map_err(|_| format!("`{bytes}` is no number"))?;
        let recorded = serde_json::json!({ "digest": super::digest(digest)?, "bytes": bytes });
        return serde_json::from_value(recorded).map_err(|error| error.to_string());
    }
    let (number, unit) = super::split(words, " ")?;
    let number: usize = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    let bytes = match unit {
        "byte" | "bytes" => number,
        "KiB" => number * 1024,
        "MiB" => number * 1024 * 1024,
        _ => return Err(format!("`{unit}` is no unit of size")),
    };
    // Text of this size, without making it: only the size counts here. The digest differs by size.
    let digest = Sha256::digest(words.as_bytes()).into();
    Ok(sized(digest, bytes))
}

fn sized(digest: [u8; 32], bytes: usize) -> WithheldText {
    WithheldText::new(Arc::from("x".repeat(bytes)), digest)
}
