//! Which server answers, by how it names itself.

use super::Flavour;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;

/// The oldest servers: those that are still maintained and tested with.
const MYSQL_MIN: (u32, u32) = (8, 4);
const MARIADB_MIN: (u32, u32) = (10, 11);

/// What MariaDB puts before its version, so that old clients take it for an old MySQL.
const MARIADB_PREFIX: &str = "5.5.5-";

/// Servers that speak the protocol and are neither.
const OTHERS: &[&str] =
    &["tidb", "vitess", "oceanbase", "singlestore", "starrocks", "doris", "clickhouse", "databend"];

/// Reads the version in a greeting, and refuses what is neither or too old.
pub(super) fn read(text: &str) -> Result<Flavour, DriverError> {
    let lower = text.to_ascii_lowercase();
    let unknown = || {
        let cause = format!("it calls itself {}", text.escape_debug());
        DriverError::unavailable(DatabaseReason::ServerNotRecognised).because(cause)
    };
    if OTHERS.iter().any(|other| lower.contains(other)) {
        return Err(unknown());
    }
    let (flavour, digits, least) = if lower.contains("mariadb") {
        let digits = lower.strip_prefix(MARIADB_PREFIX).unwrap_or(&lower);
        (Flavour::Mariadb, digits, MARIADB_MIN)
    } else {
        (Flavour::Mysql, lower.as_str(), MYSQL_MIN)
    };
    let mut parts = digits.split(|letter: char| !letter.is_ascii_digit());
    let mut part = || parts.next().and_then(|part| part.parse::<u32>().ok());
    let (Some(major), Some(minor), Some(_)) = (part(), part(), part()) else {
        return Err(unknown());
    };
    if (major, minor) < least {
        return Err(DriverError::unavailable(DatabaseReason::ServerTooOld)
            .because(format!("it is {}", text.escape_debug())));
    }
    Ok(flavour)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::drivers::mysql::Flavour;
    use crate::reason::DatabaseReason as Reason;

    #[test]
    fn both_are_told_apart() {
        for (text, flavour) in [
            ("9.7.4-2", Flavour::Mysql),
            ("8.4.0", Flavour::Mysql),
            ("5.5.5-10.11.19-MariaDB-0+deb12u1", Flavour::Mariadb),
            ("11.4.2-MariaDB-log", Flavour::Mariadb),
        ] {
            assert_eq!(read(text).expect(text), flavour, "{text}");
        }
    }

    #[test]
    fn others_and_old_ones_are_refused() {
        for (text, reason) in [
            ("8.0.36", Reason::ServerTooOld),
            ("5.7.44-log", Reason::ServerTooOld),
            ("5.5.5-10.6.18-MariaDB", Reason::ServerTooOld),
            ("8.0.11-TiDB-v7.5.0", Reason::ServerNotRecognised),
            ("8.4.0-vitess", Reason::ServerNotRecognised),
            ("", Reason::ServerNotRecognised),
            ("PostgreSQL 15", Reason::ServerNotRecognised),
            ("9", Reason::ServerNotRecognised),
        ] {
            assert_eq!(read(text).expect_err(text).reason(), reason, "{text}");
        }
    }
}
