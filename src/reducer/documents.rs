//! Documents: opened → changed → closed. Agents ask for a range of the current snapshot; a change makes another
//! snapshot, to which no grant carries over (contract, "Idempotency and freshness").

use super::activity::{self, About};
use super::limits::{DOCUMENTS_MAX, SNAPSHOT_BYTES_MAX, SNAPSHOTS_BYTES_MAX};
use super::state::{Document, EntryKind};
use super::{Answer, Next, Refusal, grants, requests};
use crate::events::{Audience, DocumentEvent, DocumentKind, WithheldText};
use crate::ids::FileId;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &DocumentEvent) -> Result<Answer, Refusal> {
    match event {
        DocumentEvent::Opened { file, name, alias, kind, text } => {
            open(next, file, name, alias.as_ref(), *kind, text)
        }
        DocumentEvent::Changed { file, text } => change(next, file, text),
        DocumentEvent::Reverted { file, text } => revert(next, file, text),
        DocumentEvent::Closed { file } => close(next, file),
        DocumentEvent::Shared { file, audience, is_shared } => {
            share(next, file, audience, *is_shared)
        }
    }
}

fn open(
    next: &mut Next,
    file: &FileId,
    name: &Arc<str>,
    alias: Option<&Arc<str>>,
    kind: DocumentKind,
    text: &WithheldText,
) -> Result<Answer, Refusal> {
    if next.state.documents.contains_key(file) {
        return Err(Refusal::IdentifierInUse);
    }
    if next.state.documents.len() >= DOCUMENTS_MAX {
        return Err(Refusal::DocumentLimit);
    }
    check_size(next, file, text)?;
    let alias = alias.cloned().unwrap_or_else(|| generic_alias(next));
    let counters = &mut next.state.counters;
    counters.document_version = counters.document_version.next();
    let document = Document {
        name: name.clone(),
        alias,
        kind,
        version: counters.document_version,
        text: text.clone(),
        opened_at: next.now,
    };
    next.state.documents.insert(file.clone(), Arc::new(document));
    Ok(Answer::Done)
}

/// An alias that says nothing about the document, and that no other one has.
fn generic_alias(next: &mut Next) -> Arc<str> {
    loop {
        let counters = &mut next.state.counters;
        counters.document_alias = counters.document_alias.saturating_add(1);
        let number = counters.document_alias;
        let alias: Arc<str> = Arc::from(format!("Open document {number}"));
        let is_taken = next.state.documents.values().any(|document| document.alias == alias);
        if !is_taken || number == u64::MAX {
            return alias;
        }
    }
}

/// A new snapshot. What was asked of the one before stands on the text that it holds itself.
fn change(next: &mut Next, file: &FileId, text: &WithheldText) -> Result<Answer, Refusal> {
    let before = next.state.documents.get(file).ok_or(Refusal::Unknown)?;
    if before.text == *text {
        return Ok(Answer::Done);
    }
    check_size(next, file, text)?;
    replace(next, file, text);
    Ok(Answer::Done)
}

/// Back to the text on disk: what was asked and granted before ends, also if the text is the same. A text that
/// is too large for agents closes the document for them, so that nothing of the one before stays readable.
fn revert(next: &mut Next, file: &FileId, text: &WithheldText) -> Result<Answer, Refusal> {
    if !next.state.documents.contains_key(file) {
        return Err(Refusal::Unknown);
    }
    if check_size(next, file, text).is_err() {
        return close(next, file);
    }
    withdraw(next, file, &Audience::AllAgents);
    activity::note(next, EntryKind::DocumentReverted, about(file));
    replace(next, file, text);
    Ok(Answer::Done)
}

fn close(next: &mut Next, file: &FileId) -> Result<Answer, Refusal> {
    if !next.state.documents.contains_key(file) {
        return Err(Refusal::Unknown);
    }
    withdraw(next, file, &Audience::AllAgents);
    let shared = next.state.shared_documents.iter().filter(|(shared, _)| shared == file);
    let shared: Vec<_> = shared.cloned().collect();
    if !shared.is_empty() {
        activity::note(next, EntryKind::DocumentClosed, about(file));
    }
    for entry in &shared {
        next.state.shared_documents.remove(entry);
    }
    next.state.documents.remove(file);
    Ok(Answer::Done)
}

/// Shares a document, or takes it back. Taking it back ends what the audience has on it, even when another
/// entry still shares it.
fn share(
    next: &mut Next,
    file: &FileId,
    audience: &Audience,
    is_shared: bool,
) -> Result<Answer, Refusal> {
    let client_is_known = match audience {
        Audience::AllAgents => true,
        Audience::Client(client) => next.state.clients.contains_key(client),
    };
    if !next.state.documents.contains_key(file) || !client_is_known {
        return Err(Refusal::Unknown);
    }
    let entry = (file.clone(), audience.clone());
    if next.state.shared_documents.contains(&entry) == is_shared {
        return Ok(Answer::Done);
    }
    if is_shared {
        next.state.shared_documents.insert(entry);
    } else {
        next.state.shared_documents.remove(&entry);
        withdraw(next, file, audience);
    }
    let client = match audience {
        Audience::AllAgents => None,
        Audience::Client(client) => Some(client),
    };
    let word = match (client, is_shared) {
        (None, true) => "all agents: ask each time",
        (None, false) => "not shared with all agents any more",
        (Some(_), true) => "ask each time",
        (Some(_), false) => "not shared any more",
    };
    let detail = Some(Arc::from(word));
    activity::note(next, EntryKind::DocumentShared, About { client, detail, ..about(file) });
    Ok(Answer::Done)
}

/// Ends what the connections of an audience have on a document: grants, work and results.
fn withdraw(next: &mut Next, file: &FileId, audience: &Audience) {
    grants::drop_on_document(next, file, audience);
    requests::revoke_where(next, |request| {
        request.target.file() == Some(file) && audience.holds(&request.client)
    });
}

fn replace(next: &mut Next, file: &FileId, text: &WithheldText) {
    let counters = &mut next.state.counters;
    counters.document_version = counters.document_version.next();
    let version = counters.document_version;
    if let Some(document) = next.state.documents.get_mut(file) {
        let document = Arc::make_mut(document);
        document.version = version;
        document.text = text.clone();
    }
}

/// Whether the text fits, beside the texts of all other documents.
fn check_size(next: &Next, file: &FileId, text: &WithheldText) -> Result<(), Refusal> {
    let others = next.state.documents.iter().filter(|(id, _)| *id != file);
    let others: u64 = others.map(|(_, document)| document.text.bytes()).sum();
    if text.bytes() > SNAPSHOT_BYTES_MAX {
        Err(Refusal::SnapshotTooLarge)
    } else if others.saturating_add(text.bytes()) > SNAPSHOTS_BYTES_MAX {
        Err(Refusal::SnapshotsTooLarge)
    } else {
        Ok(())
    }
}

fn about(file: &FileId) -> About<'_> {
    About { document: Some(file), ..About::default() }
}
