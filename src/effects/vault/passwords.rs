//! The form of the keychain's second item: passwords of sources, in the clear, which is what a keychain is for.

use crate::ids::{ID_BYTES_MAX, SourceId};
use crate::reducer::limits::SOURCES_MAX;
use crate::secret::Secret;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zeroize::{Zeroize, Zeroizing};

/// The version of the form; also in the item's name.
const VERSION: u32 = 1;

/// Whose item was read.
pub(super) enum Read {
    Ours(BTreeMap<SourceId, Secret>),
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
    passwords: Vec<(SourceId, String)>,
}

impl Drop for Item {
    fn drop(&mut self) {
        self.passwords.iter_mut().for_each(|(_, password)| password.zeroize());
    }
}

pub(super) fn write(passwords: &BTreeMap<SourceId, Secret>, owner: &str) -> Zeroizing<String> {
    let plain =
        |(source, password): (&SourceId, &Secret)| (source.clone(), password.reveal().to_owned());
    let passwords = passwords.iter().map(plain).collect();
    let item = Item { version: VERSION, owner: owner.to_owned(), passwords };
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
    let mut item: Item = serde_json::from_str(text).map_err(place)?;
    let entries = std::mem::take(&mut item.passwords);
    let number = entries.len();
    let passwords: BTreeMap<SourceId, Secret> =
        entries.into_iter().map(|(source, password)| (source, Secret::new(password))).collect();
    let is_named = |id: &SourceId| (1..=ID_BYTES_MAX).contains(&id.as_str().len());
    if number > SOURCES_MAX {
        return Err("more entries than there can be".to_owned());
    }
    if passwords.len() < number || !passwords.keys().all(is_named) {
        return Err("a source in it is not valid or there twice".to_owned());
    }
    Ok(Read::Ours(passwords))
}

#[cfg(test)]
mod tests {
    use super::{Read, read, write};
    use crate::ids::SourceId;
    use crate::secret::Secret;
    use std::collections::BTreeMap;

    fn passwords() -> BTreeMap<SourceId, Secret> {
        let secret = |text: &str| Secret::new(text.to_owned());
        BTreeMap::from([
            (SourceId::new("src_1"), secret("correct \"horse\" é")),
            (SourceId::new("src_2"), secret("battery")),
        ])
    }

    #[test]
    fn what_is_written_is_read_again_by_its_owner_only() {
        let text = write(&passwords(), "a");
        let Ok(Read::Ours(again)) = read(&text, "a") else { panic!("it is its own") };
        assert_eq!(again.len(), 2);
        for (source, password) in passwords() {
            assert!(again[&source].matches(&password), "{source}");
        }
        assert!(matches!(read(&text, "b"), Ok(Read::OfOther)));
    }

    #[test]
    fn a_damaged_item_is_an_error_without_its_content() {
        let text = write(&passwords(), "a");
        for (from, to) in [
            ("\"version\":1", "\"version\":2"),
            ("\"passwords\"", "\"words\""),
            ("src_2", "src_1"),
            ("src_1", ""),
            ("\"battery\"", "7"),
            ("}", ""),
        ] {
            let damaged = text.replacen(from, to, 1);
            assert_ne!(damaged, *text, "{from} is in the item");
            let Err(problem) = read(&damaged, "a") else { panic!("{from} → {to}") };
            assert!(!problem.contains("battery") && !problem.contains("horse"), "{problem}");
        }
    }
}
