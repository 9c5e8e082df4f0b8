//! What every driver does alike: one suite of tests, run on each engine.
//!
//! An engine brings a [`Bench`], which makes fresh databases, and calls `contract::suite!(its_bench())` in the
//! root of its test program: each function of the suite becomes one test. Statements are plain enough to mean
//! the same everywhere; what is spelled differently is in [`Dialect`].

pub(crate) mod estimates;
pub(crate) mod full;
pub(crate) mod identity;
pub(crate) mod limits;
pub(crate) mod lists;
pub(crate) mod reading;
pub(crate) mod stopping;
pub(crate) mod writing;

use dbeast::drivers::{
    Driver, DriverError, Gate, Limits, Location, Proven, Read, TableWrite, Task, open,
};
use dbeast::value::{Cell, Rows, TableName};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

/// One engine.
pub(crate) trait Bench {
    /// How it spells things.
    fn dialect(&self) -> Dialect;

    /// A fresh database in which these statements were run, each by itself. It lives as long as its stage.
    fn stage(&self, statements: &[String]) -> Box<dyn Stage>;
}

/// A fresh database.
pub(crate) trait Stage {
    /// Where the driver finds it.
    fn location(&self, is_read_only: bool) -> Location;

    /// Another program's connection.
    fn raw(&self) -> Box<dyn Raw>;

    /// Whether a statement of somebody else runs or holds a lock just now. Never true for long while nobody works.
    fn is_working(&self) -> bool;
}

/// Another program's connection to the same database. Blocking; each statement is a transaction of its own.
pub(crate) trait Raw {
    /// Runs one statement, which must succeed.
    fn run(&mut self, sql: &str);

    /// The rows of a query as texts; nothing for NULL.
    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>>;
}

/// How an engine spells what the suite needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// The schema in which the suite's tables are.
    pub(crate) schema: &'static str,
    /// A column type for short and long text.
    pub(crate) text: &'static str,
    /// A column type for bytes.
    pub(crate) binary: &'static str,
    /// The bytes 00 ff as a literal.
    pub(crate) two_bytes: &'static str,
    /// The kind of a plain table in lists.
    pub(crate) table_kind: &'static str,
    /// Whether INSERT, UPDATE and DELETE can have RETURNING.
    pub(crate) has_returning: bool,
}

/// A stage with the usual tables, and short ways to ask its driver.
pub(crate) struct Shop {
    pub(crate) dialect: Dialect,
    pub(crate) stage: Box<dyn Stage>,
    pub(crate) driver: Arc<dyn Driver>,
}

/// Numbers in the table `numbers`, from 1.
pub(crate) const NUMBERS: u32 = 700;

impl Shop {
    /// The usual tables: `orders`, `lines`, `numbers` and `words`.
    pub(crate) fn new(bench: &dyn Bench) -> Self {
        Self::with(bench, &[])
    }

    /// The usual tables and these statements; `{s}` stands for the schema.
    pub(crate) fn with(bench: &dyn Bench, more: &[String]) -> Self {
        let dialect = bench.dialect();
        let numbers: Vec<String> = (1..=NUMBERS).map(|number| format!("({number})")).collect();
        let mut statements = vec![
            "CREATE TABLE {s}.orders(id INTEGER PRIMARY KEY, customer {text} NOT NULL, total INTEGER)"
                .to_owned(),
            "INSERT INTO {s}.orders VALUES (1, 'Ada', 10), (2, 'Bob', 20), (3, 'Ada', NULL)".to_owned(),
            "CREATE TABLE {s}.lines(order_id INTEGER NOT NULL, product {text})".to_owned(),
            "INSERT INTO {s}.lines VALUES (1, 'pen'), (2, 'ink')".to_owned(),
            "CREATE TABLE {s}.numbers(x INTEGER)".to_owned(),
            format!("INSERT INTO {{s}}.numbers VALUES {}", numbers.join(", ")),
            "CREATE TABLE {s}.words(id INTEGER PRIMARY KEY, word {text}, raw {binary})".to_owned(),
        ];
        statements.extend(more.iter().cloned());
        let statements: Vec<String> =
            statements.iter().map(|statement| spell(dialect, statement)).collect();
        let stage = bench.stage(&statements);
        let driver = open(&stage.location(false));
        Self { dialect, stage, driver }
    }

    /// A driver of the same database that never writes.
    pub(crate) fn read_only_driver(&self) -> Arc<dyn Driver> {
        open(&self.stage.location(true))
    }

    /// The text with the engine's spellings for `{s}`, `{text}` and `{binary}`.
    pub(crate) fn spell(&self, sql: &str) -> String {
        spell(self.dialect, sql)
    }

    pub(crate) fn table(&self, name: &str) -> TableName {
        TableName { schema: self.dialect.schema.to_owned(), name: name.to_owned() }
    }

    /// A read of these tables.
    pub(crate) fn reading(&self, tables: &[&str], sql: &str) -> Read {
        Read {
            sql: self.spell(sql),
            tables: tables.iter().map(|name| self.table(name)).collect(),
            columns: Vec::new(),
            rows_max: 500,
        }
    }

    /// A write of this table.
    pub(crate) fn write(&self, table: &str, sql: &str) -> TableWrite {
        TableWrite { sql: self.spell(sql), table: self.table(table), columns: Vec::new() }
    }

    pub(crate) async fn read(&self, tables: &[&str], sql: &str) -> Result<Rows, DriverError> {
        let read = self.reading(tables, sql);
        self.driver.read(&read, None, &task()).await.map(|proven: Proven<Rows>| proven.value)
    }

    /// One text per row of `orders`, as another program sees it.
    pub(crate) fn orders(&self) -> Vec<String> {
        let sql = self.spell("SELECT id, customer, total FROM {s}.orders ORDER BY id");
        let rows = self.stage.raw().rows(&sql);
        let text = |row: Vec<Option<String>>| {
            let cells: Vec<String> =
                row.into_iter().map(|cell| cell.unwrap_or_else(|| "NULL".to_owned())).collect();
            cells.join("|")
        };
        rows.into_iter().map(text).collect()
    }

    /// Asserts that nothing has happened to `orders`, that nothing goes on, and that the driver still works.
    pub(crate) async fn must_be_untouched(&self, why: &str) {
        assert!(!self.stage.is_working(), "{why}: something still runs");
        assert_eq!(self.orders(), ["1|Ada|10", "2|Bob|20", "3|Ada|NULL"], "{why}");
        let rows = self.read(&["orders"], "SELECT id FROM {s}.orders").await;
        assert_eq!(rows.expect("still usable").rows.len(), 3, "{why}");
    }
}

fn spell(dialect: Dialect, sql: &str) -> String {
    sql.replace("{s}", dialect.schema)
        .replace("{text}", dialect.text)
        .replace("{binary}", dialect.binary)
}

/// A gate that the test answers.
pub(crate) struct Doorman {
    questions: Arc<AtomicU32>,
    knocked: Arc<Notify>,
    answer: oneshot::Sender<()>,
}

impl Doorman {
    pub(crate) fn new() -> (Gate, Self) {
        let (answer, go_ahead) = oneshot::channel();
        let (questions, knocked) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
        let (counted, bell) = (Arc::clone(&questions), Arc::clone(&knocked));
        let gate = Gate::new(
            move || {
                counted.fetch_add(1, Ordering::SeqCst);
                bell.notify_one();
            },
            go_ahead,
        );
        (gate, Self { questions, knocked, answer })
    }

    /// Waits until the driver asks.
    pub(crate) async fn asked(&self) {
        let waiting = self.knocked.notified();
        tokio::time::timeout(PATIENCE, waiting).await.expect("the driver asks at the gate");
    }

    /// How often the driver has asked.
    pub(crate) fn questions(&self) -> u32 {
        self.questions.load(Ordering::SeqCst)
    }

    /// Lets the statement go.
    pub(crate) fn let_go(self) {
        self.answer.send(()).expect("the driver waits for the answer");
    }
}

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until the condition holds.
pub(crate) async fn wait_until(mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the condition holds in time");
}

/// A moment so far ahead.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller and owns the clock")]
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + time
}

/// Work with ample time.
pub(crate) fn task() -> Task {
    task_with(Limits::contract())
}

pub(crate) fn task_with(limits: Limits) -> Task {
    Task::new(CancellationToken::new(), after(Duration::from_mins(1)), limits)
}

/// Work that ends by this token or after this time.
pub(crate) fn bounded(cancel: &CancellationToken, time: Duration) -> Task {
    Task::new(cancel.clone(), after(time), Limits::contract())
}

/// The text of a cell.
pub(crate) fn show(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Binary(bytes) => format!("{bytes:02x?}"),
    }
}

/// The texts of all cells, row by row.
pub(crate) fn texts(rows: &Rows) -> Vec<Vec<String>> {
    rows.rows.iter().map(|row| row.iter().map(show).collect()).collect()
}

/// The only cell of the only row.
pub(crate) fn single(rows: &[Vec<Option<String>>]) -> Option<&str> {
    match rows {
        [row] => match row.as_slice() {
            [cell] => cell.as_deref(),
            _ => panic!("not one cell: {row:?}"),
        },
        _ => panic!("not one row: {rows:?}"),
    }
}

/// One test for each function of the suite.
macro_rules! suite {
    ($bench:expr) => {
        crate::contract::tests! { $bench;
            lists: tables_are_listed_with_their_kinds, a_table_is_described_under_proof,
                unknown_tables_are_refused, closing_leaves_the_driver_usable,
                a_server_or_file_is_probed;
            reading: values_are_exact_text, columns_may_have_one_name,
                unknown_columns_are_refused, only_one_statement_is_read, reading_never_writes;
            limits: rows_end_at_the_limit, bytes_are_those_of_the_compact_json,
                a_cell_is_whole_or_refused, a_first_row_that_does_not_fit_is_refused;
            identity: a_table_is_the_same_while_its_rows_change,
                a_table_made_again_under_its_name_is_another_one, a_gone_table_is_another_one,
                a_pin_on_another_table_reads_nothing;
            stopping: work_that_is_over_before_it_begins_does_nothing,
                cancelling_stops_a_running_read, the_deadline_stops_a_running_read,
                a_read_that_nobody_waits_for_stops;
            writing: a_write_takes_effect_once_and_only_after_the_gate,
                changed_rows_are_counted, a_closed_gate_writes_nothing,
                cancelled_at_the_gate_writes_nothing, the_deadline_at_the_gate_writes_nothing,
                cancelled_before_the_gate_is_never_asked, a_failed_write_is_rolled_back,
                what_is_refused_never_asks, a_read_only_source_refuses_writes,
                cancelling_stops_a_running_write, returned_rows_end_at_the_limits;
            full: any_single_statement_runs, its_rows_are_returned_within_limits,
                a_statement_that_writes_runs_to_its_end, large_cells_are_no_error_after_a_write,
                columns_that_do_not_fit_are_no_error_after_a_write,
                two_statements_never_ask, a_closed_gate_runs_nothing, a_failure_leaves_nothing,
                a_read_only_source_runs_nothing, cancelling_stops_it, the_deadline_stops_it;
            estimates: an_estimate_runs_nothing, an_estimate_needs_the_proof;
        }
    };
}

macro_rules! tests {
    ($bench:expr; $($part:ident: $($name:ident),+;)+) => {
        mod driver_contract {
            $(mod $part {
                use super::super::*;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    crate::contract::$part::$name(&$bench).await;
                })+
            })+
        }
    };
}

pub(crate) use {suite, tests};
