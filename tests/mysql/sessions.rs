//! Connections that are used again: what somebody else's code left in them, and what roles give.

use super::common::{any_read, driver, reading, table, task, texts};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Role};
use dbeast::reason::DatabaseReason as Reason;

/// A function that nobody should have called changes the session; the next piece of work gets another one.
pub(crate) async fn a_session_that_was_changed_is_closed(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE t (a int, at timestamp null)");
    root.must("SET time_zone = '+00:00'");
    root.must("INSERT INTO t VALUES (1, '2026-02-28 03:00:00')");
    root.must("CREATE FUNCTION spoil() RETURNS int NO SQL BEGIN SET SESSION time_zone = '+09:00'; RETURN 1; END");
    let driver = driver(&database, Role::Owner);
    let table = table(&database, "t");
    let d = database.name();
    let connection = format!("SELECT CONNECTION_ID() AS c FROM {d}.t AS t");
    let first = texts(&*driver, &connection, &table).await.expect("a number");
    let same = texts(&*driver, &connection, &table).await.expect("a number");
    assert_eq!(first, same, "an untouched session is used again");
    let spoiling = reading(&format!("SELECT {d}.spoil() AS x FROM {d}.t AS t"), &table);
    driver.read(&spoiling, None, &task()).await.expect("past the proof of the text");
    let rows = texts(&*driver, &format!("SELECT t.at FROM {d}.t AS t"), &table).await;
    assert_eq!(rows.expect("rows"), [["2026-02-28 03:00:00"]], "read in UTC");
    let other = texts(&*driver, &connection, &table).await.expect("a number");
    assert_ne!(first, other, "the session was closed");
}

/// Privileges that come from a role which is the account's own from the start.
pub(crate) async fn a_default_role_counts(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE t (a int)");
    let (user, role) = (database.user(Role::Stranger), format!("{}role", database.name()));
    let table = table(&database, "t");
    let error = driver(&database, Role::Stranger).list_tables(&task()).await.expect_err("nothing");
    assert_eq!(error.reason(), Reason::DatabaseUnknown);
    root.must(&format!("CREATE ROLE {role}"));
    root.must(&format!("GRANT SELECT ON {}.* TO {role}", database.name()));
    root.must(&format!("GRANT {role} TO '{user}'@'%'"));
    root.must(&match kind {
        Kind::Mysql => format!("SET DEFAULT ROLE {role} TO '{user}'@'%'"),
        Kind::Mariadb => format!("SET DEFAULT ROLE {role} FOR '{user}'@'%'"),
    });
    let driver = driver(&database, Role::Stranger);
    for _ in 0..2 {
        assert!(driver.read(&any_read(&table), None, &task()).await.is_ok());
    }
}
