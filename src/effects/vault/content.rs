//! The form of the keychain's item: hashes of tokens, never tokens.

use crate::effects::ids::sha256;
use crate::events::{Audience, KeptShare, Level, RestoredClient, TableLevel};
use crate::ids::{ClientId, ID_BYTES_MAX, SourceId};
use crate::reducer::effect::SavedClient;
use crate::reducer::limits::{CLIENTS_MAX, LABEL_CHARS_MAX, SHARED_TABLES_IN_ALL_MAX, SOURCES_MAX};
use crate::secret::TokenHash;
use crate::time::Millis;
use crate::value::TableName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The version of the form; also in the item's name.
const VERSION: u32 = 1;
/// Entries of sharing: every source for every connection and for all.
const SHARING_MAX: usize = SOURCES_MAX * (CLIENTS_MAX + 1);
/// The audience of all agents. No identifier of a connection is this word.
const ALL_AGENTS: &str = "all_agents";

/// What the vault keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// All connections.
    pub clients: Vec<RestoredClient>,
    /// All entries of the sharing table.
    pub sharing: Vec<KeptShare>,
}

/// Whose item was read.
pub(super) enum Read {
    Ours(Contents),
    OfOther,
}

/// Only whose it is, so that another folder's item is recognised and not read.
#[derive(Deserialize)]
struct Owned {
    version: u32,
    owner: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    version: u32,
    owner: String,
    clients: Vec<Client>,
    sharing: Vec<(SourceId, String, Level)>,
    /// Tables with a level of their own, each under an entry of `sharing`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tables: Vec<(SourceId, String, TableName, TableLevel)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Client {
    id: ClientId,
    label: Arc<str>,
    token_sha256: String,
    created_at_ms: u64,
}

impl Contents {
    /// What the reducer asks to keep.
    #[must_use]
    pub fn new(clients: &[SavedClient], sharing: &[KeptShare]) -> Self {
        let restored = |saved: &SavedClient| RestoredClient {
            client: saved.client.clone(),
            label: saved.label.clone(),
            token_hash: saved.token_hash,
            created_at: saved.created_at,
        };
        Self { clients: clients.iter().map(restored).collect(), sharing: sharing.to_vec() }
    }

    pub(super) fn write(&self, owner: &str) -> Zeroizing<String> {
        let client = |restored: &RestoredClient| Client {
            id: restored.client.clone(),
            label: restored.label.clone(),
            token_sha256: restored.token_hash.to_hex(),
            created_at_ms: restored.created_at.0,
        };
        let entry = |share: &KeptShare| (share.source.clone(), word_of(share), share.level);
        let tables = self.sharing.iter().flat_map(|share| {
            let table = |(table, level): &(TableName, TableLevel)| {
                (share.source.clone(), word_of(share), table.clone(), *level)
            };
            share.tables.iter().map(table)
        });
        let item = Item {
            version: VERSION,
            owner: owner.to_owned(),
            clients: self.clients.iter().map(client).collect(),
            sharing: self.sharing.iter().map(entry).collect(),
            tables: tables.collect(),
        };
        // Plain texts and numbers: writing them cannot fail. An empty text would be read as damaged.
        Zeroizing::new(serde_json::to_string(&item).unwrap_or_default())
    }

    /// Reads an item, if it is the owner's. The error says where, not what.
    pub(super) fn read(text: &str, owner: &str) -> Result<Read, String> {
        let place = |error: serde_json::Error| {
            format!("wrong form at line {} column {}", error.line(), error.column())
        };
        let whose: Owned = serde_json::from_str(text).map_err(place)?;
        if whose.version != VERSION {
            return Err(format!("version {} is not {VERSION}", whose.version));
        }
        if whose.owner != owner {
            return Ok(Read::OfOther);
        }
        let item: Item = serde_json::from_str(text).map_err(place)?;
        let is_large = item.clients.len() > CLIENTS_MAX
            || item.sharing.len() > SHARING_MAX
            || item.tables.len() > SHARED_TABLES_IN_ALL_MAX;
        if is_large {
            return Err("more entries than there can be".to_owned());
        }
        let clients = item.clients.iter().map(restore).collect::<Option<Vec<_>>>();
        let clients = clients.ok_or("a connection in it is not valid")?;
        let names: BTreeSet<_> = clients.iter().map(|client| &client.client).collect();
        if names.len() != clients.len() {
            return Err("a connection is in it twice".to_owned());
        }
        let sharing = shares(item.sharing, item.tables)?;
        Ok(Read::Ours(Self { clients, sharing }))
    }
}

/// Entries with their tables. A table whose entry is not there is damage.
fn shares(
    entries: Vec<(SourceId, String, Level)>,
    tables: Vec<(SourceId, String, TableName, TableLevel)>,
) -> Result<Vec<KeptShare>, String> {
    let share = |(source, word, level): (SourceId, String, Level)| {
        let audience = match word.as_str() {
            ALL_AGENTS => Audience::AllAgents,
            client => Audience::Client(ClientId::new(client)),
        };
        KeptShare { source, audience, level, tables: Vec::new() }
    };
    let mut shares: Vec<KeptShare> = entries.into_iter().map(share).collect();
    for (source, word, table, level) in tables {
        let entry =
            shares.iter_mut().find(|share| share.source == source && word_of(share) == word);
        let entry = entry.ok_or("a table in it is of no shared source")?;
        entry.tables.push((table, level));
    }
    Ok(shares)
}

fn word_of(share: &KeptShare) -> String {
    match &share.audience {
        Audience::AllAgents => ALL_AGENTS.to_owned(),
        Audience::Client(client) => client.to_string(),
    }
}

fn restore(client: &Client) -> Option<RestoredClient> {
    let is_named = (1..=ID_BYTES_MAX).contains(&client.id.as_str().len())
        && client.id.as_str() != ALL_AGENTS
        && (1..=LABEL_CHARS_MAX).contains(&client.label.chars().count());
    let token_hash = TokenHash::from_hex(&client.token_sha256)?;
    is_named.then(|| RestoredClient {
        client: client.id.clone(),
        label: client.label.clone(),
        token_hash,
        created_at: Millis(client.created_at_ms),
    })
}

/// Names the owner without naming the folder: a copied folder is another owner.
pub(super) fn owner_mark(owner: &str, folder: &Path) -> String {
    let mut bytes = owner.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend_from_slice(folder.as_os_str().as_encoded_bytes());
    TokenHash::new(sha256(&bytes)).to_hex()
}

#[cfg(test)]
mod tests {
    use super::{Contents, Read, owner_mark};
    use crate::events::{Audience, KeptShare, Level, RestoredClient, TableLevel};
    use crate::ids::{ClientId, SourceId};
    use crate::secret::TokenHash;
    use crate::time::Millis;
    use crate::value::TableName;
    use std::path::Path;

    fn contents() -> Contents {
        let client = ClientId::new("con_1");
        let orders = TableName { schema: "main".into(), name: "orders".into() };
        let share = |audience, level, tables| KeptShare {
            source: SourceId::new("src_1"),
            audience,
            level,
            tables,
        };
        Contents {
            clients: vec![RestoredClient {
                client: client.clone(),
                label: "Claude".into(),
                token_hash: TokenHash::new([3; 32]),
                created_at: Millis(5),
            }],
            sharing: vec![
                share(Audience::AllAgents, Level::Ask, Vec::new()),
                share(Audience::Client(client), Level::Read, vec![(orders, TableLevel::ReadWrite)]),
            ],
        }
    }

    #[test]
    fn what_is_written_is_read_again_by_its_owner_only() {
        let text = contents().write("a");
        assert!(matches!(Contents::read(&text, "a"), Ok(Read::Ours(read)) if read == contents()));
        assert!(matches!(Contents::read(&text, "b"), Ok(Read::OfOther)));
    }

    #[test]
    fn an_item_without_tables_is_one_of_the_version_before() {
        let text = contents().write("a");
        let (start, end) = (text.find(",\"tables\"").unwrap(), text.rfind('}').unwrap());
        let old = format!("{}}}", &text[..start]);
        assert!(text[start..end].contains("orders") && !old.contains("orders"));
        let Ok(Read::Ours(mut read)) = Contents::read(&old, "a") else { panic!("{old}") };
        assert!(read.sharing.iter().all(|share| share.tables.is_empty()));
        assert_eq!(*read.write("a"), old, "what has no tables is written as before");
        let mut expected = contents();
        expected.sharing[1].tables.clear();
        read.sharing.sort_by(|one, other| one.audience.cmp(&other.audience));
        assert_eq!(read, expected);
    }

    #[test]
    fn a_table_of_no_shared_source_is_damage() {
        let text = contents().write("a");
        let at = text.find(",\"tables\"").unwrap();
        let lost = format!("{}{}", &text[..at], text[at..].replacen("src_1", "src_2", 1));
        let Err(problem) = Contents::read(&lost, "a") else { panic!("{lost}") };
        assert!(problem.contains("no shared source") && !problem.contains("orders"), "{problem}");
    }

    #[test]
    fn a_copied_folder_is_another_owner() {
        let here = owner_mark("own_1", Path::new("/a"));
        assert_ne!(here, owner_mark("own_1", Path::new("/b")));
        assert_ne!(here, owner_mark("own_2", Path::new("/a")));
        assert_eq!(here.len(), 64);
    }

    #[test]
    fn a_damaged_item_is_an_error_without_its_content() {
        let text = contents().write("a");
        for (from, to) in [
            ("\"version\":1", "\"version\":2"),
            ("\"read\"", "\"write\""),
            ("\"label\"", "\"lable\""),
            ("0303", "03zz"),
            ("\"Claude\"", "\"\""),
            ("con_1", "all_agents"),
            ("}", ""),
        ] {
            let damaged = text.replacen(from, to, 1);
            assert_ne!(damaged, *text, "{from} is in the item");
            let Err(problem) = Contents::read(&damaged, "a") else { panic!("{from} → {to}") };
            assert!(!problem.contains("Claude") && !problem.contains("0303"), "{problem}");
        }
    }
}
