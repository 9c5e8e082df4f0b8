//! What makes a table the same table later: a digest of everything that its proof saw.

use super::connection::CatalogRow;
use super::proof::Proof;
use super::relation::Relation;
use crate::drivers::{DriverError, Pinned};
use crate::value::{ObjectIdentity, TableName};
use sha2::{Digest, Sha256};

/// Each table with its identity. The pinned one must be among them and the same as before.
pub(super) fn identities<'a>(
    proof: &Proof,
    tables: impl IntoIterator<Item = &'a TableName>,
    pinned: Option<&Pinned>,
) -> Result<Vec<(TableName, ObjectIdentity)>, DriverError> {
    let found = tables.into_iter().filter_map(|table| {
        proof.find(table).map(|relation| (table.clone(), identity(proof, relation)))
    });
    let identities: Vec<(TableName, ObjectIdentity)> = found.collect();
    match pinned {
        Some(pinned) if !identities.contains(pinned) => Err(DriverError::identity_changed()),
        Some(_) | None => Ok(identities),
    }
}

fn identity(proof: &Proof, relation: &Relation) -> ObjectIdentity {
    let mut digest = Sha256::new();
    digest.update(b"postgres 1");
    add(&mut digest, &relation.seen);
    for behind in proof.behind.iter().filter(|behind| behind.view == relation.oid) {
        add(&mut digest, &behind.seen);
    }
    ObjectIdentity(digest.finalize().into())
}

/// Every value with its length, so that no two lists look alike.
fn add(digest: &mut Sha256, rows: &[CatalogRow]) {
    digest.update(length(rows.len()));
    for row in rows {
        digest.update(length(row.len()));
        for value in row {
            match value {
                Some(text) => {
                    digest.update(length(text.len()));
                    digest.update(text.as_bytes());
                }
                None => digest.update([0xff; 8]),
            }
        }
    }
}

fn length(length: usize) -> [u8; 8] {
    u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes()
}
