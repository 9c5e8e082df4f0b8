//! What the fuzz targets check of the SQL proof, and a grammar that makes statements for it.
//!
//! Start at [`check_read`] and [`check_write`], which hold for every text, and at [`grammar`], whose
//! statements come with the truth about them. What never lives here: rules of the proof itself.

pub mod grammar;

use dbeast::reason::SqlReason;
use dbeast::sql::{Verified, VerifiedTableWrite, verify, verify_table_write};
use dbeast::value::Engine;

/// Every dialect.
pub const DIALECTS: [Engine; 4] =
    [Engine::Sqlite, Engine::Postgres, Engine::Mysql, Engine::Mariadb];

/// Longest text, in bytes, that the proof's own normal form cannot carry over a bound. Of a text so short the
/// normal form must always be found again.
const SHORT_BYTES_MAX: usize = 1_024;

/// The verdict on a read. What is accepted is its own normal form and no write.
pub fn check_read(text: &str, dialect: Engine) -> Result<Verified, SqlReason> {
    let verdict = verify(text, dialect);
    match &verdict {
        Ok(verified) => {
            let again = verify(&verified.sql, dialect);
            assert_eq!(again.as_ref(), Ok(verified), "{dialect:?} {text:?}: not stable");
            let as_write = verify_table_write(&verified.sql, dialect);
            assert!(as_write.is_err(), "{dialect:?} {text:?}: a read and a write");
        }
        Err(reason) => check_reason(*reason, text, dialect),
    }
    verdict
}

/// The verdict on a write of one table. What is accepted is its own normal form and no read.
pub fn check_write(text: &str, dialect: Engine) -> Result<VerifiedTableWrite, SqlReason> {
    let verdict = verify_table_write(text, dialect);
    match &verdict {
        Ok(verified) => {
            let again = verify_table_write(&verified.sql, dialect);
            assert_eq!(again.as_ref(), Ok(verified), "{dialect:?} {text:?}: not stable");
            let as_read = verify(&verified.sql, dialect);
            assert!(as_read.is_err(), "{dialect:?} {text:?}: a write and a read");
        }
        Err(reason) => check_reason(*reason, text, dialect),
    }
    verdict
}

/// A statement that cannot be read again is a defect of the writer, unless a bound explains it.
fn check_reason(reason: SqlReason, text: &str, dialect: Engine) {
    let is_explained = reason != SqlReason::NotReproducible || text.len() > SHORT_BYTES_MAX;
    assert!(is_explained, "{dialect:?} {text:?}: its normal form is another statement");
}

/// Whether a reason is a bound: the only one for which a statement of allowed parts is refused.
#[must_use]
pub fn is_bound(reason: SqlReason) -> bool {
    [
        SqlReason::TooLong,
        SqlReason::TooManyTokens,
        SqlReason::TooDeep,
        SqlReason::TooManyParts,
        SqlReason::TooManyTables,
        SqlReason::TooManyAliases,
        SqlReason::LiteralTooLong,
    ]
    .contains(&reason)
}
