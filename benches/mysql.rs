//! What a guarded read of MySQL and MariaDB costs, against the least that a careful client would pay.
//!
//! Run: `cargo bench --no-default-features --features program --bench mysql`. It starts private servers; one that is not there is
//! left out, and said to be. Both sides read the same rows of the same table over the same socket, in turns, so that a noisy
//! machine disturbs both. The bare side is a blocking client that sends `START TRANSACTION READ ONLY`, the statement and
//! `ROLLBACK` on a connection that is open already. The guarded side is the driver: settings, proof, statement, limits,
//! roll-back.

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

use dbeast::drivers::{Driver, Limits, Read, Server, Task, open};
use dbeast::value::TableName;
use servers::Client as _;
use servers::mysql::{Database, Kind, MysqlClient, Role};
use servers::proxy::Proxy;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const TURNS: usize = 1_000;
const WARM_UP: usize = 50;
/// As a test, it only has to work.
const TURNS_AS_TEST: usize = 5;

/// A comparison: its name and its statement.
const CASES: [(&str, &str); 2] = [
    (
        "one row",
        "SELECT `t`.`id`, `t`.`customer`, `t`.`total` FROM {d}.`orders` AS `t` WHERE `t`.`id` = 500",
    ),
    (
        "500 rows of 5 columns",
        "SELECT `t`.`id`, `t`.`customer`, `t`.`total`, `t`.`placed`, `t`.`note` FROM {d}.`orders` AS `t` LIMIT 500",
    ),
];

fn main() {
    // The thread that waits for the socket is the one that works, as in the program.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    for kind in [Kind::Mariadb, Kind::Mysql] {
        if kind == Kind::Mysql && !target.join("mysql-root").exists() {
            println!("MySQL is left out: `bash scripts/mysql-root.sh` unpacks it");
            continue;
        }
        let database = made(kind);
        let socket =
            Server { host: database.server().socket(), ..database.server_as(Role::Reader) };
        let driver = open(&database.locate(socket));
        let mut bare = database.server().connect();
        for (name, sql) in CASES {
            let sql = sql.replace("{d}", database.name());
            compare(
                &runtime,
                &driver,
                &mut bare,
                &format!("{kind:?}, {name}"),
                &reading(&database, &sql),
            );
        }
        println!("{kind:?}, round trips of a guarded read: {}", round_trips(&runtime, &database));
    }
}

fn made(kind: Kind) -> Database {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must(
        "CREATE TABLE orders (id bigint PRIMARY KEY, customer varchar(60) NOT NULL, total decimal(12,2) CHECK (total >= 0), \
         placed datetime, note text, KEY (customer), KEY (placed))",
    );
    let rows: Vec<String> = (1..=10_000)
        .map(|id| format!("({id}, 'customer {id}', {id}, '2026-01-01', '{}')", "x".repeat(40)))
        .collect();
    root.must(&format!("INSERT INTO orders VALUES {}", rows.join(",")));
    database
}

fn compare(
    runtime: &Runtime,
    driver: &Arc<dyn Driver>,
    bare: &mut MysqlClient,
    name: &str,
    read: &Read,
) {
    let (mut bare_times, mut guarded_times) = (Vec::new(), Vec::new());
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let turns = if is_measuring { TURNS } else { TURNS_AS_TEST };
    for turn in 0..turns + WARM_UP {
        let bare_time = timed(|| {
            bare.must("START TRANSACTION READ ONLY");
            assert!(!bare.must(&read.sql).rows.is_empty());
            bare.must("ROLLBACK");
        });
        let guarded_time = timed(|| {
            let proven = runtime.block_on(driver.read(read, None, &task())).expect("rows");
            assert!(!proven.value.rows.is_empty());
        });
        if turn >= WARM_UP {
            bare_times.push(bare_time);
            guarded_times.push(guarded_time);
        }
    }
    let (bare, guarded) = (median(bare_times), median(guarded_times));
    let ratio = guarded.as_secs_f64() / bare.as_secs_f64();
    println!("{name}: bare {bare:?}, guarded {guarded:?} (medians): {ratio:.2} times");
}

/// How often the client sends something and waits, as a network between them sees it.
fn round_trips(runtime: &Runtime, database: &Database) -> u64 {
    let proxy = Proxy::start_mysql(database.server().port());
    let server = Server { port: proxy.port(), ..database.server_as(Role::Reader) };
    let driver = open(&database.locate(server));
    let read = reading(database, &CASES[0].1.replace("{d}", database.name()));
    let ask = || {
        runtime.block_on(driver.read(&read, None, &task())).expect("rows");
        proxy.counts().round_trips
    };
    let before = ask();
    ask() - before
}

fn reading(database: &Database, sql: &str) -> Read {
    let table = TableName { schema: database.name().to_owned(), name: "orders".to_owned() };
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
