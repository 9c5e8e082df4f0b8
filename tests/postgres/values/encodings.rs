//! Databases whose encoding is not UTF-8.

use super::{full, full_of, read, text};
use crate::postgres::common::{driver, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Postgres, Role};
use dbeast::drivers::Gate;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, ReadLock};

const SELECT: &str = "SELECT \"v\" FROM \"s\".\"t\" ORDER BY \"id\"";

#[tokio::test]
async fn a_database_in_another_encoding_is_converted_by_the_server() {
    let database = Database::encoded(Postgres::shared(), "LATIN1");
    database.connect(Role::Owner).must(
        "CREATE SCHEMA s; CREATE TABLE s.t (id int, v text); INSERT INTO s.t VALUES (1, 'é ÿ'), \
         (2, convert_from('\\xe4ff80', 'LATIN1'))",
    );
    let cells: Vec<_> = read(&database, SELECT).await.expect("rows").rows.concat();
    assert_eq!(cells, [text("é ÿ"), text("äÿ\u{80}")]);
    let rows = full(&database, "SELECT v AS \"ö\", octet_length(v) FROM s.t WHERE v = 'é ÿ'").await;
    assert_eq!(rows.columns, ["ö", "octet_length"]);
    assert_eq!(rows.rows, [[text("é ÿ"), text("3")]]);
    // A letter that the database does not have cannot even be sent to it.
    let error = read(&database, "SELECT \"v\" FROM \"s\".\"t\" WHERE \"v\" = '€'").await;
    assert_eq!(error.expect_err("no euro in it").reason(), Reason::ExecutionFailed);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_binary() {
    let database = Database::encoded(Postgres::shared(), "SQL_ASCII");
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE SCHEMA s; CREATE TABLE s.t (id int, v text);
         INSERT INTO s.t VALUES (1, 'é'), (2, convert_from('\\xff61', 'SQL_ASCII')), (3, ''), (4, NULL)",
    );
    let expected = [text("é"), Cell::Binary(vec![0xff, 0x61]), text(""), Cell::Null];
    assert_eq!(read(&database, SELECT).await.expect("rows").rows.concat(), expected);
    assert_eq!(full(&database, "SELECT v FROM s.t ORDER BY id").await.rows.concat(), expected);
    // An array of such texts is one text for the server.
    let rows = full(&database, "SELECT array_agg(v ORDER BY id) FROM s.t WHERE id < 3").await;
    assert_eq!(rows.rows, [[Cell::Binary(b"{\xc3\xa9,\xffa}".to_vec())]]);
    // It counts as its digits.
    for (bytes, fits) in [(32_767, true), (32_768, false)] {
        owner.must(&format!(
            "UPDATE s.t SET v = convert_from('\\xff', 'SQL_ASCII') || repeat('x', {bytes}) WHERE id = 2"
        ));
        let read = read(&database, SELECT).await;
        let told = read.map(|rows| rows.rows.len()).map_err(|error| error.reason());
        assert_eq!(told, if fits { Ok(4) } else { Err(Reason::CellTooLarge) }, "{bytes}");
    }
}

/// A message that quotes such bytes still says that nothing took effect.
#[tokio::test]
async fn an_error_that_is_no_text_is_still_an_error() {
    let database = Database::encoded(Postgres::shared(), "SQL_ASCII");
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE SCHEMA s; CREATE TABLE s.t (v text PRIMARY KEY)");
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let sql = "INSERT INTO s.t VALUES (convert_from('\\xff61', 'SQL_ASCII'))";
    assert_eq!(full_of(&*driver, sql).await.affected_rows, Some(1));
    let error = driver.run_full(sql, Gate::open(), &task()).await.expect_err("it is there");
    assert_eq!(error.reason(), Reason::ConstraintViolated);
    assert!(!error.is_outcome_unknown(), "{}", error.cause());
    assert_eq!(owner.value("SELECT count(*) FROM s.t"), "1");
}

/// The name of a column can hold such bytes as well. Whoever asks gets no rows, and nothing has run.
#[tokio::test]
async fn a_column_whose_name_is_no_text_is_refused_before_anything_runs() {
    let database = Database::encoded(Postgres::shared(), "SQL_ASCII");
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE SCHEMA s; DO $$BEGIN EXECUTE 'CREATE TABLE s.t (a int, \"' \
         || convert_from('\\xff', 'SQL_ASCII') || '\" int)'; END$$",
    );
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let sql = "INSERT INTO s.t VALUES (1, 2) RETURNING *";
    let error = driver.run_full(sql, Gate::open(), &task()).await.expect_err("no name");
    assert!(!error.is_outcome_unknown(), "{error:?}");
    assert_eq!(owner.value("SELECT count(*) FROM s.t"), "0");
    // The proof does not take one such name for another.
    let error = read(&database, "SELECT \"a\" FROM \"s\".\"t\"").await.expect_err("no proof");
    assert_eq!(error.reason(), Reason::GuardUnavailable);
    let rows = full_of(&*driver, "INSERT INTO s.t VALUES (1, 2) RETURNING a").await;
    assert_eq!(rows.rows, [[text("1")]]);
}
