//! What a verified read costs through the driver, proof included, against the least that a guarded read costs with the
//! bare library: an open connection, `BEGIN`, the statement, its rows, `ROLLBACK`.
//!
//! Both sides run in the same program, on the same file, one after the other. The driver's side is the whole future
//! as the program awaits it, with its change of threads; the bare side is a plain call. SQLite has no server, so there
//! are no round trips to count.
#![allow(missing_docs, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};
use dbeast::drivers::{Limits, Location, Read, Task, open};
use dbeast::value::TableName;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const ONE: &str = r#"SELECT "id", "customer", "total" FROM "main"."orders" WHERE "id" = 77"#;
const MANY: &str =
    r#"SELECT "id", "customer", "total" FROM "main"."orders" ORDER BY "id" LIMIT 500"#;

fn database(path: &Path) {
    let connection = Connection::open(path).expect("a database");
    connection
        .execute_batch(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL);
             CREATE INDEX orders_by_customer ON orders(customer);
             WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10000)
             INSERT INTO orders SELECT x, 'customer number ' || x, x * 1.25 FROM n;
             CREATE TABLE lines(order_id INTEGER, product TEXT);
             CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);
             CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, city TEXT);",
        )
        .expect("tables");
}

fn bare_connection(path: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).expect("a handle")
}

/// The least that a guarded read costs: each value becomes text of its own, as in the driver.
fn bare(connection: &Connection, sql: &str) -> Vec<Vec<String>> {
    connection.execute_batch("BEGIN").expect("begun");
    let mut statement = connection.prepare(sql).expect("a statement");
    let count = statement.column_count();
    let mut rows = statement.query([]).expect("rows");
    let mut result = Vec::new();
    while let Some(row) = rows.next().expect("a row") {
        let cells = (0..count).map(|index| match row.get_ref(index).expect("a value") {
            ValueRef::Null => String::new(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => format!("{number:?}"),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                String::from_utf8_lossy(bytes).into_owned()
            }
        });
        result.push(cells.collect());
    }
    drop(rows);
    drop(statement);
    connection.execute_batch("ROLLBACK").expect("ended");
    result
}

fn reading(sql: &str) -> Read {
    let table = TableName { schema: "main".to_owned(), name: "orders".to_owned() };
    let columns = ["id", "customer", "total"].map(|name| (table.clone(), name.to_owned()));
    Read { sql: sql.to_owned(), tables: vec![table], columns: columns.to_vec(), rows_max: 500 }
}

#[allow(clippy::disallowed_methods, reason = "a benchmark owns the clock")]
fn task() -> Task {
    Task::new(CancellationToken::new(), Instant::now() + Duration::from_mins(1), Limits::contract())
}

fn reads(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bench.sqlite");
    database(&path);
    let connection = bare_connection(&path);
    let driver = open(&Location::Sqlite { path: path.clone(), is_read_only: true });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    for (name, sql) in [("one row", ONE), ("500 rows", MANY)] {
        let read = reading(sql);
        let mut group = criterion.benchmark_group(format!("sqlite, {name}"));
        group.bench_function("bare", |bencher| {
            bencher.iter(|| black_box(bare(&connection, sql)));
        });
        group.bench_function("driver", |bencher| {
            bencher.iter(|| {
                let proven = runtime.block_on(driver.read(&read, None, &task()));
                black_box(proven.expect("rows"))
            });
        });
        group.finish();
    }
}

criterion_group!(benches, reads);
criterion_main!(benches);
