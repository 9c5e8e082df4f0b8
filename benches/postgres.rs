//! What a guarded read of PostgreSQL costs, against the least that a careful client would pay.
//!
//! Run: `cargo bench --no-default-features --features program --bench postgres`. It starts a private server. Both sides read
//! the same rows of the same table over the same kind of socket, in turns, so that a noisy machine disturbs
//! both. The bare side is a blocking client that sends `BEGIN READ ONLY`, the statement and `ROLLBACK`, each as one simple query,
//! on a connection that is open already. The guarded side is the driver: pinned connection, locks, proof, statement,
//! limits, roll-back.

#![allow(missing_docs, reason = "a benchmark is a program")]
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, prints it, and stops when its own set-up fails"
)]

#[path = "../tests/servers/mod.rs"]
#[expect(clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]
mod servers;

use dbeast::drivers::{Driver, Limits, Location, Read, Server, Task, open};
use dbeast::value::TableName;
use servers::Client as _;
use servers::postgres::{Database, Options, Postgres, PostgresClient, Role};
use servers::proxy::Proxy;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const TURNS: usize = 2_000;
const WARM_UP: usize = 100;
/// As a test, it only has to work.
const TURNS_AS_TEST: usize = 5;

const TABLE: &str = "CREATE SCHEMA shop; \
    CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer text NOT NULL, \
      total numeric(12,2) CHECK (total >= 0), placed timestamptz, note text); \
    CREATE INDEX ON shop.orders (lower(customer)); \
    CREATE INDEX ON shop.orders (placed) WHERE total > 10; \
    INSERT INTO shop.orders SELECT i, 'customer ' || i, i, \
      timestamptz '2026-01-01' + i * interval '1 hour', repeat('x', 40) FROM generate_series(1, 10000) i; \
    CREATE TABLE shop.wide (id bigint PRIMARY KEY, a text, b text, c text, d integer, e integer, f numeric(12,2), \
      g numeric(12,2), h date, i timestamptz, j boolean, k uuid, l text); \
    INSERT INTO shop.wide SELECT i, 'first ' || i, 'second ' || i, md5(i::text), i, i * 2, i / 7.0, i / 11.0, \
      date '2026-01-01' + i % 365, timestamptz '2026-01-01' + i * interval '1 hour', i % 2 = 0, \
      md5(i::text)::uuid, repeat('y', 60) FROM generate_series(1, 10000) i; \
    ANALYZE; GRANT USAGE ON SCHEMA shop TO t_writer; \
    GRANT SELECT, INSERT, UPDATE, DELETE ON shop.orders, shop.wide TO t_writer;";

/// A comparison: its name, its statement, and how many times the bare read it may cost.
const CASES: [(&str, &str, f64); 3] = [
    (
        "one row",
        r#"SELECT "t"."id", "t"."customer", "t"."total" FROM "shop"."orders" AS "t" WHERE "t"."id" = 500"#,
        3.0,
    ),
    (
        "500 rows of 5 columns",
        r#"SELECT "t"."id", "t"."customer", "t"."total", "t"."placed", "t"."note" FROM "shop"."orders" AS "t" LIMIT 500"#,
        1.3,
    ),
    ("500 rows of 13 columns", r#"SELECT "t".* FROM "shop"."wide" AS "t" LIMIT 500"#, 1.3),
];

fn main() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    database.connect(Role::Owner).must(TABLE);
    let host = server.folder().display().to_string();
    let location = Server { host, ..database.location(Role::Writer) };
    let driver = open(&Location::Postgres(Box::new(location)));
    let mut bare = database.connect(Role::Superuser);
    // The thread that waits for the socket is the one that works, as in the program.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    for (name, sql, most) in CASES {
        compare(&runtime, &driver, &mut bare, name, sql, most);
    }
    println!("round trips of a guarded read of one row: {}", round_trips(&runtime, &database));
}

fn compare(
    runtime: &Runtime,
    driver: &Arc<dyn Driver>,
    bare: &mut PostgresClient,
    name: &str,
    sql: &str,
    most: f64,
) {
    let read = reading(sql);
    let (mut bare_times, mut guarded_times) = (Vec::new(), Vec::new());
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let turns = if is_measuring { TURNS } else { TURNS_AS_TEST };
    for turn in 0..turns + WARM_UP {
        let bare_time = timed(|| {
            bare.must("BEGIN READ ONLY");
            assert!(!bare.must(sql).rows.is_empty());
            bare.must("ROLLBACK");
        });
        let guarded_time = timed(|| {
            let proven = runtime.block_on(driver.read(&read, None, &task())).expect("rows");
            assert!(!proven.value.rows.is_empty());
        });
        if turn >= WARM_UP {
            bare_times.push(bare_time);
            guarded_times.push(guarded_time);
        }
    }
    let (bare, guarded) = (median(bare_times), median(guarded_times));
    let ratio = guarded.as_secs_f64() / bare.as_secs_f64();
    println!(
        "{name}: bare {bare:?}, guarded {guarded:?} (medians): {ratio:.2} times, at most {most}"
    );
}

/// How often the client sends something and waits, as a network between them sees it.
fn round_trips(runtime: &Runtime, database: &Database<'_>) -> u64 {
    let proxy = Proxy::start(database.server().port());
    let location = Server { port: proxy.port(), ..database.location(Role::Writer) };
    let driver = open(&Location::Postgres(Box::new(location)));
    let read = reading(CASES[0].1);
    let ask = || {
        runtime.block_on(driver.read(&read, None, &task())).expect("rows");
        proxy.counts().round_trips
    };
    let before = ask();
    ask() - before
}

fn reading(sql: &str) -> Read {
    let name = if sql.contains("wide") { "wide" } else { "orders" };
    let table = TableName { schema: "shop".to_owned(), name: name.to_owned() };
    Read { sql: sql.to_owned(), tables: vec![table], columns: Vec::new(), rows_max: 500 }
}

fn task() -> Task {
    let deadline = Instant::now() + Duration::from_secs(30);
    Task::new(CancellationToken::new(), deadline, Limits::contract())
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
