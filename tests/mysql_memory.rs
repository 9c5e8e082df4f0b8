//! What a read and a statement in the agent's own words hold of memory on MySQL and MariaDB, measured by the system. The
//! servers are other programs.
//!
//! Alone in its program, and one after the other, because the peak belongs to the whole of it.
#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it measured"
)]

#[path = "mysql/common.rs"]
#[expect(dead_code, reason = "the suite of the driver uses the rest")]
mod common;
#[path = "drivers/memory.rs"]
mod memory;
mod servers;

use common::{driver, reading, table, task};
use dbeast::drivers::{Gate, TableWrite};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{ResultLimit, Rows};
use memory::{GROWTH_MAX_KIB, assert_measures, begin, grown};
use servers::Client as _;
use servers::mysql::{Database, Kind, Mysql, Options, Role};

/// What becomes of a statement: how many rows came and the limit that ended them, or why it was refused.
type Told = Result<(usize, Option<ResultLimit>), Reason>;

/// Table, statement, what becomes of it as a verified read, and in Full SQL.
type Case = (&'static str, &'static str, Told, Told);

const ROWS: Told = Ok((500, Some(ResultLimit::Rows)));
const ONE: Told = Ok((1, None));
const TOO_LARGE: Told = Err(Reason::CellTooLarge);
const CUT: Told = Ok((0, Some(ResultLimit::CellBytes)));

const READS: &[Case] = &[
    ("many", "SELECT t.id, t.word, t.number FROM {d}.many AS t", ROWS, ROWS),
    ("many", "SELECT t.id, t.word FROM {d}.many AS t LIMIT 900000", ROWS, ROWS),
    ("many", "SELECT t.word FROM {d}.many AS t ORDER BY t.number DESC, t.word", ROWS, ROWS),
    ("many", "SELECT count(*) AS c, max(t.word) AS m FROM {d}.many AS t", ONE, ONE),
    ("large", "SELECT t.word FROM {d}.large AS t", TOO_LARGE, CUT),
    ("large", "SELECT t.id, t.raw FROM {d}.large AS t", TOO_LARGE, CUT),
    ("large", "SELECT t.raw, t.word, t.raw FROM {d}.large AS t", TOO_LARGE, CUT),
    ("large", "SELECT length(t.word) AS l FROM {d}.large AS t", ONE, ONE),
];

/// Rows of the larger table: two to the power of this.
const DOUBLINGS: u32 = 20;

fn made(kind: Kind) -> Database {
    // A value of 50 MB needs a packet and a log that hold it.
    let settings: &'static [&'static str] = match kind {
        Kind::Mysql => &["max-allowed-packet=200M", "innodb-redo-log-capacity=2G"],
        Kind::Mariadb => &["max-allowed-packet=200M", "innodb-log-file-size=1G"],
    };
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, Options { settings })));
    let database = Database::new(server, "memory");
    let mut root = database.root();
    root.must(
        "CREATE TABLE many (id int auto_increment primary key, word varchar(40), number double)",
    );
    root.must("INSERT INTO many (word, number) VALUES ('the first word', 0.5)");
    for _ in 0..DOUBLINGS {
        root.must("INSERT INTO many (word, number) SELECT concat('the word number ', id), id * 0.5 FROM many");
    }
    root.must("CREATE TABLE large (id int, word longtext, raw longblob)");
    root.must("INSERT INTO large VALUES (1, repeat('x', 50000000), repeat(x'7f', 50000000))");
    let sizes =
        root.must("SELECT count(*), (SELECT length(word) + length(raw) FROM large) FROM many").rows;
    let wanted = (1_u32 << DOUBLINGS).to_string();
    assert_eq!(sizes, [[Some(wanted), Some("100000000".to_owned())]]);
    database
}

fn told(rows: &Rows) -> (usize, Option<ResultLimit>) {
    (rows.rows.len(), rows.truncated_by)
}

async fn large_tables_and_cells_leave_memory_flat(kind: Kind) {
    static ONE_AFTER_THE_OTHER: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let _alone = ONE_AFTER_THE_OTHER.lock().await;
    let database = made(kind);
    let driver = driver(&database, Role::Owner);
    let spell = |sql: &str| sql.replace("{d}", database.name());
    // Threads and tables of the library are there before anything is measured.
    let warm = spell("SELECT t.id FROM {d}.many AS t WHERE t.id = 1");
    driver.read(&reading(&warm, &table(&database, "many")), None, &task()).await.expect("warm");
    for (name, sql, expected_read, expected_full) in READS {
        let sql = spell(sql);
        let before = begin();
        let read = driver.read(&reading(&sql, &table(&database, name)), None, &task()).await;
        let verified = grown(before);
        let read = read.map(|read| told(&read.value)).map_err(|error| error.reason());
        assert_eq!(read, *expected_read, "{sql}");
        let before = begin();
        let ran = driver.run_full(&sql, Gate::open(), &task()).await;
        let full = grown(before);
        let ran = ran.map(|rows| told(&rows)).map_err(|error| error.reason());
        assert_eq!(ran, *expected_full, "{sql}");
        println!("say: {kind:?}: {verified:>6} KiB verified, {full:>6} KiB as Full SQL: {sql}");
        assert!(verified < GROWTH_MAX_KIB && full < GROWTH_MAX_KIB, "{sql}");
    }
    let write = TableWrite {
        sql: spell("UPDATE {d}.many SET number = number + 1"),
        table: table(&database, "many"),
        columns: Vec::new(),
    };
    let before = begin();
    let rows = driver.write_table(&write, Gate::open(), &task()).await.expect("written");
    let written = grown(before);
    assert_eq!(rows.affected_rows, Some(1 << DOUBLINGS));
    println!("say: {kind:?}: {written:>6} KiB as a verified write: {}", write.sql);
    assert!(written < GROWTH_MAX_KIB);
    assert_measures();
}

mod on_mysql {
    #[tokio::test]
    async fn large_tables_and_cells_leave_memory_flat() {
        super::large_tables_and_cells_leave_memory_flat(super::Kind::Mysql).await;
    }
}

mod on_mariadb {
    #[tokio::test]
    async fn large_tables_and_cells_leave_memory_flat() {
        super::large_tables_and_cells_leave_memory_flat(super::Kind::Mariadb).await;
    }
}
