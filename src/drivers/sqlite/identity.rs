//! What makes a table the same table later, and the comparison with one that was proven before.
//!
//! Contract, "Idempotency and freshness": the identity includes the schema version, the root page and
//! the table definition. The device and the inode of the file are in it as well, where the system has
//! them: they tell a file that was put in the place of another, though not one that was written over.

use super::catalog::Catalog;
use super::connect::Handle;
use super::proof::{Proof, prove};
use crate::drivers::{DriverError, Pinned};
use crate::reason::DatabaseReason;
use crate::value::{ObjectIdentity, TableName};
use sha2::{Digest, Sha256};
use std::fs::Metadata;
use std::sync::Arc;

/// Sets these digests apart from those of another engine or of another encoding.
const DOMAIN: &[u8] = b"dbeast sqlite table identity 1\0";

/// What makes a table the same table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    /// Which file.
    pub(super) file: FileIdentity,
    /// Version of the schema of the file.
    pub(super) schema_version: i64,
    /// First page of the table.
    pub(super) root_page: i64,
    /// Its definition.
    pub(super) definition: Vec<u8>,
}

impl Identity {
    /// The digest that leaves the driver. Everything but the definition has a fixed length and the
    /// definition is last, so no two identities are encoded alike.
    pub(super) fn object(&self) -> ObjectIdentity {
        let FileIdentity(file) = self.file;
        let (device, inode) = file.unwrap_or_default();
        let mut digest = Sha256::new();
        digest.update(DOMAIN);
        digest.update([u8::from(file.is_some())]);
        digest.update(device.to_be_bytes());
        digest.update(inode.to_be_bytes());
        digest.update(self.schema_version.to_be_bytes());
        digest.update(self.root_page.to_be_bytes());
        digest.update(&self.definition);
        ObjectIdentity(digest.finalize().into())
    }
}

/// Device and inode of a file, where the system has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(Some((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Self {
        Self(None)
    }
}

/// Proves a table which may have to be the one that was proven before.
///
/// One that is gone or is no plain table any more is another one, too: what was allowed for it ends.
pub(super) fn prove_pinned(
    handle: &Handle,
    catalog: &Catalog,
    table: &TableName,
    pinned: Option<&Pinned>,
) -> Result<Arc<Proof>, DriverError> {
    let wanted = pinned.filter(|(name, _)| is_same(name, table)).map(|(_, identity)| *identity);
    let proof = prove(handle, catalog, table);
    match (proof, wanted) {
        (Ok(proof), Some(wanted)) if proof.identity.object() != wanted => {
            Err(DriverError::identity_changed())
        }
        (Err(error), Some(_)) if error.is_refused() => {
            Err(DriverError::identity_changed().replacing(error))
        }
        (proof, _) => proof,
    }
}

/// The identity of each table under the name by which it was asked for. A pinned table that is not
/// among them was compared with nothing, so then nothing may be read.
pub(super) fn identities<'a>(
    proofs: &[Arc<Proof>],
    asked: impl IntoIterator<Item = &'a TableName>,
    pinned: Option<&Pinned>,
) -> Result<Vec<(TableName, ObjectIdentity)>, DriverError> {
    if pinned.is_some_and(|(name, _)| !proofs.iter().any(|proof| proof.is_of(name))) {
        return Err(DriverError::refused(DatabaseReason::TableNotVerified));
    }
    let mut identities: Vec<(TableName, ObjectIdentity)> = Vec::new();
    for table in asked {
        let is_known = identities.iter().any(|(name, _)| name == table);
        let proof = proofs.iter().find(|proof| proof.is_of(table));
        if let (Some(proof), false) = (proof, is_known) {
            identities.push((table.clone(), proof.identity.object()));
        }
    }
    Ok(identities)
}

/// Whether two names mean the same table, as SQLite compares names.
fn is_same(one: &TableName, other: &TableName) -> bool {
    one.schema.eq_ignore_ascii_case(&other.schema) && one.name.eq_ignore_ascii_case(&other.name)
}

#[cfg(test)]
mod tests {
    use super::{FileIdentity, Identity};

    #[test]
    fn every_part_is_in_the_digest_and_none_can_be_taken_for_another() {
        let identity = |file, schema_version, root_page, definition: &[u8]| Identity {
            file: FileIdentity(file),
            schema_version,
            root_page,
            definition: definition.to_vec(),
        };
        let one = identity(Some((1, 2)), 3, 4, b"CREATE TABLE t(a)");
        assert_eq!(one.object(), one.clone().object());
        let others = [
            one.clone(),
            identity(None, 3, 4, b"CREATE TABLE t(a)"),
            identity(Some((0, 0)), 3, 4, b"CREATE TABLE t(a)"),
            identity(Some((2, 1)), 3, 4, b"CREATE TABLE t(a)"),
            identity(Some((1, 2)), 4, 3, b"CREATE TABLE t(a)"),
            identity(Some((1, 2)), 5, 4, b"CREATE TABLE t(a)"),
            identity(Some((1, 2)), 3, 5, b"CREATE TABLE t(a)"),
            identity(Some((1, 2)), 3, 4, b"CREATE TABLE t(a, b)"),
            // Not UTF-8, and not the replacement character either.
            identity(Some((1, 2)), 3, 4, b"CREATE TABLE t(\xff)"),
            identity(Some((1, 2)), 3, 4, "CREATE TABLE t(\u{fffd})".as_bytes()),
            identity(Some((1, 2)), 3, 4, b""),
        ];
        let digests: std::collections::BTreeSet<_> = others.iter().map(Identity::object).collect();
        assert_eq!(digests.len(), others.len());
    }
}
