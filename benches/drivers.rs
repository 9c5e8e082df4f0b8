//! What a verified read costs through the driver, proof included, against the least that a guarded read costs with the
//! bare library: an open connection, `BEGIN`, the statement, its rows, `ROLLBACK`.
//!
//! Both sides run in the same program, on the same file, one after the other. The driver's side is the whole future
//! as the program awaits it. SQLite blocks its thread, so an asynchronous program gives it one of its own; the bare side is
//! measured with that change of threads, which is the least that such a program can do, and as a plain call. What is
//! promised is said of the former; the latter is printed as well. SQLite has no server, so there are no round trips.
//!
//! `cargo bench --no-default-features --features program --bench drivers` measures; after criterion's own figures it
//! prints the best samples, the ratios that are promised, and what each guard costs. Run by `cargo test`, it only checks
//! that both sides return the same.
#![allow(
    missing_docs,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark reads a clock, prints, and stops at the first surprise"
)]

use criterion::Criterion;
use dbeast::drivers::{Driver, Limits, Location, Read, Task, open};
use dbeast::value::{Cell, TableName};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// A verified read costs at most so many times what the bare one costs: of one row, and of 500.
const ONE_MAX: f64 = 3.0;
const MANY_MAX: f64 = 1.5;

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

fn task() -> Task {
    Task::new(CancellationToken::new(), Instant::now() + Duration::from_mins(1), Limits::contract())
}

/// Both sides on one file.
struct Sides {
    connection: Connection,
    /// The same once more, for a thread of its own.
    lent: Arc<Mutex<Connection>>,
    driver: Arc<dyn Driver>,
    runtime: Runtime,
}

impl Sides {
    fn new(path: &Path) -> Self {
        database(path);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let driver = open(&Location::Sqlite { path: path.to_owned(), is_read_only: true });
        let lent = Arc::new(Mutex::new(bare_connection(path)));
        Self { connection: bare_connection(path), lent, driver, runtime }
    }

    /// The bare read on a thread for blocking work, without a deadline and without cancellation.
    fn bare_elsewhere(&self, sql: &'static str) -> Vec<Vec<String>> {
        let lent = Arc::clone(&self.lent);
        let work = move || bare(&lent.lock().expect("nobody panics"), sql);
        let done = async move { tokio::task::spawn_blocking(work).await };
        self.runtime.block_on(done).expect("no panic")
    }

    fn read(&self, read: &Read) -> Vec<Vec<Cell>> {
        let proven = self.runtime.block_on(self.driver.read(read, None, &task()));
        proven.expect("rows").value.rows
    }

    fn check(&self, sql: &str) {
        let bare = bare(&self.connection, sql);
        let texts: Vec<Vec<Cell>> =
            bare.into_iter().map(|row| row.into_iter().map(Cell::Text).collect()).collect();
        assert_eq!(self.read(&reading(sql)), texts, "{sql}");
    }
}

/// The best of some samples, in microseconds for one run.
fn best(mut run: impl FnMut()) -> f64 {
    const SAMPLES: u32 = 60;
    const RUNS: u32 = 50;
    let mut best = Duration::MAX;
    for _ in 0..SAMPLES {
        let begun = Instant::now();
        for _ in 0..RUNS {
            run();
        }
        best = best.min(begun.elapsed());
    }
    best.as_secs_f64() * 1e6 / f64::from(RUNS)
}

fn explained(connection: &Connection) {
    let mut statement = connection.prepare(&format!("EXPLAIN {ONE}")).expect("a statement");
    let mut rows = statement.query([]).expect("rows");
    while let Some(row) = rows.next().expect("a row") {
        black_box(row.get_ref(1).expect("a value"));
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bench.sqlite");
    let sides = Sides::new(&path);
    for sql in [ONE, MANY] {
        sides.check(sql);
    }
    // Cargo says so; without it, this runs as a test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30)
        .configure_from_args();
    for (name, sql) in [("one row", ONE), ("500 rows", MANY)] {
        let read = reading(sql);
        let mut group = criterion.benchmark_group(format!("sqlite, {name}"));
        group.bench_function("bare", |bencher| {
            bencher.iter(|| black_box(bare(&sides.connection, sql)));
        });
        group.bench_function("bare, on another thread", |bencher| {
            bencher.iter(|| black_box(sides.bare_elsewhere(sql)));
        });
        group.bench_function("driver", |bencher| bencher.iter(|| black_box(sides.read(&read))));
        group.finish();
    }
    criterion.final_summary();
    println!("\nSQLite, best samples in microseconds; no round trips, the file is local");
    for (name, sql, most) in [("one row", ONE, ONE_MAX), ("500 rows", MANY, MANY_MAX)] {
        let read = reading(sql);
        let plain = best(|| drop(black_box(bare(&sides.connection, sql))));
        let bare = best(|| drop(black_box(sides.bare_elsewhere(sql))));
        let driver = best(|| drop(black_box(sides.read(&read))));
        let (ratio, to_plain) = (driver / bare, driver / plain);
        let verdict = if ratio <= most { "ok" } else { "TOO MUCH" };
        println!(
            "{name}: driver {driver:.1}, bare on another thread {bare:.1}: {ratio:.2} times, at most {most}: {verdict}; \
             bare as a plain call {plain:.1}: {to_plain:.2} times"
        );
    }
    guards(&sides, &path);
}

/// What each guard costs, by itself.
fn guards(sides: &Sides, path: &Path) {
    let connection = &sides.connection;
    let read = reading(ONE);
    let lines = [
        (
            "change of threads and back, with deadline and cancellation",
            best(|| {
                sides.runtime.block_on(async {
                    let task = task();
                    let deadline = tokio::time::sleep_until(task.deadline().into());
                    tokio::select! {
                        done = tokio::task::spawn_blocking(|| 1) => drop(black_box(done)),
                        () = deadline => {}
                        () = task.cancel().cancelled() => {}
                    }
                });
            }),
        ),
        (
            "which file it is: its path resolved and its marks read",
            best(|| drop(black_box(path.canonicalize().expect("a path").metadata()))),
        ),
        (
            "transaction and the version of the schema",
            best(|| {
                connection.execute_batch("BEGIN").expect("begun");
                let version = connection
                    .query_row("PRAGMA main.schema_version", [], |row| row.get::<_, i64>(0));
                black_box(version.expect("a version"));
                connection.execute_batch("ROLLBACK").expect("ended");
            }),
        ),
        ("check of the compiled program", best(|| explained(connection))),
        (
            "a fresh handle and a fresh proof instead of kept ones, as after a change of the file",
            best(|| {
                sides.runtime.block_on(sides.driver.close());
                drop(black_box(sides.read(&read)));
            }) - best(|| drop(black_box(sides.read(&read)))),
        ),
    ];
    for (name, cost) in lines {
        println!("{cost:>8.1}  {name}");
    }
}
