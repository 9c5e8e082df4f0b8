//! Agent connections: absent → live → revoked for good (contract, "Client connection").

use super::activity::{self, About};
use super::limits::CLIENTS_MAX;
use super::state::{Client, EntryKind, remove_where};
use super::{Answer, Next, Refusal, server, sessions};
use crate::events::{Audience, ClientEvent};
use crate::ids::ClientId;
use crate::secret::TokenHash;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &ClientEvent) -> Result<Answer, Refusal> {
    match event {
        ClientEvent::Created { client, label, token_hash } => {
            create(next, client, label, *token_hash)
        }
        ClientEvent::Revoked { client } => revoke(next, client),
    }
}

fn create(
    next: &mut Next,
    client: &ClientId,
    label: &Arc<str>,
    token_hash: TokenHash,
) -> Result<Answer, Refusal> {
    if next.state.clients.contains_key(client) || next.state.client_of(&token_hash).is_some() {
        return Err(Refusal::IdentifierInUse);
    }
    if next.state.clients.len() >= CLIENTS_MAX {
        return Err(Refusal::ClientLimit);
    }
    let created_at = next.now;
    let fresh = Client { label: label.clone(), token_hash, created_at };
    next.state.clients.insert(client.clone(), Arc::new(fresh));
    activity::note(
        next,
        EntryKind::ClientCreated,
        About { client: Some(client), ..About::default() },
    );
    server::save_vault(next);
    Ok(Answer::Done)
}

fn revoke(next: &mut Next, client: &ClientId) -> Result<Answer, Refusal> {
    if !next.state.clients.contains_key(client) {
        return Err(Refusal::Unknown);
    }
    sessions::end_of_client(next, client, sessions::End::ClientRevoked);
    activity::note(
        next,
        EntryKind::ClientRevoked,
        About { client: Some(client), ..About::default() },
    );
    next.state.clients.remove(client);
    let audience = Audience::Client(client.clone());
    remove_where(&mut next.state.sharing, |(_, entry), _| *entry == audience);
    let own = next.state.shared_documents.iter().filter(|(_, entry)| *entry == audience);
    for entry in own.cloned().collect::<Vec<_>>() {
        next.state.shared_documents.remove(&entry);
    }
    server::save_vault(next);
    Ok(Answer::Done)
}
