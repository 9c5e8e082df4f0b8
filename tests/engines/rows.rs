//! Each accepted statement does on its engine what `rows.jsonl` says, in the text that was sent and in
//! the text that runs.

use super::corpus::{self, Expected, Statement};
use super::target;
use crate::servers::{Answer, Cell, Client, Failure};
use dbeast::value::Engine;
use std::collections::BTreeMap;

/// Rows of an engine with what they are for.
type Rows = Vec<Vec<Cell>>;

/// What a text did.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Done {
    names: Vec<String>,
    rows: Option<Rows>,
    gone: Option<Rows>,
    new: Option<Rows>,
}

/// Connections to all databases of one engine's fixture.
struct Engines {
    dialect: Engine,
    clients: BTreeMap<&'static str, Box<dyn Client>>,
}

/// Runs everything in both texts and compares. With `UPDATE_ROWS=1` it first writes what the texts that
/// were sent do.
pub(crate) fn check(dialect: Engine) {
    let statements = corpus::statements(dialect);
    let mut engines = Engines::new(dialect, &[]);
    if std::env::var_os("UPDATE_ROWS").is_some() {
        let known = corpus::expected(dialect);
        let learned: Vec<Expected> = statements
            .iter()
            .map(|statement| engines.learn(statement, known.get(&statement.id)))
            .collect();
        corpus::keep(dialect, &learned);
    }
    let expected = corpus::expected(dialect);
    let mut wrong = Vec::new();
    let (mut rows, mut refused) = (0, 0);
    for statement in &statements {
        let Some(entry) = expected.get(&statement.id) else {
            wrong.push(format!("{}: no line in rows.jsonl; UPDATE_ROWS=1 adds it", statement.id));
            continue;
        };
        let found = engines.compare(statement, entry);
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", statement.id)));
        rows += entry.rows.as_ref().map_or(0, Vec::len);
        refused += usize::from(entry.error.is_some());
    }
    let known = |id: &String| statements.iter().any(|statement| statement.id == *id);
    wrong.extend(expected.keys().filter(|id| !known(id)).map(|id| format!("{id}: no statement")));
    println!(
        "{}: {} statements, {refused} of them refused by the engine; {rows} rows of reads",
        dialect.word(),
        statements.len(),
    );
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

/// The text that runs does the same under these settings.
pub(crate) fn check_settings(dialect: Engine, settings: &[&str]) {
    let expected = corpus::expected(dialect);
    let mut wrong = Vec::new();
    let mut compared = 0;
    for setting in settings {
        let mut engines = Engines::new(dialect, &[setting]);
        for statement in corpus::statements(dialect) {
            let Some(entry) = expected.get(&statement.id) else { continue };
            if entry.error.is_some() {
                continue;
            }
            let done = engines.run(&statement, &statement.normalised, entry.database());
            compared += 1;
            if !done.as_ref().is_ok_and(|done| entry.is(done)) {
                wrong.push(format!("{} under {setting}: {done:?}", statement.id));
            }
        }
    }
    println!("{}: {compared} runs under {} settings", dialect.word(), settings.len());
    assert!(compared > 0, "nothing was compared");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

impl Expected {
    /// The database of the fixture on which the statement runs.
    pub(crate) fn database(&self) -> &str {
        self.on.as_deref().unwrap_or("numbers")
    }

    fn is(&self, done: &Done) -> bool {
        (&self.rows, &self.gone, &self.new) == (&done.rows, &done.gone, &done.new)
    }
}

impl Engines {
    fn new(dialect: Engine, settings: &[&str]) -> Self {
        let mut clients = BTreeMap::new();
        for database in target::databases(dialect) {
            let mut client = target::connect(dialect, database);
            for setting in settings {
                client.must(setting);
            }
            clients.insert(*database, client);
        }
        Self { dialect, clients }
    }

    /// What a statement does, from the text that was sent.
    fn learn(&mut self, statement: &Statement, known: Option<&Expected>) -> Expected {
        let mut entry = Expected { id: statement.id.clone(), ..Expected::default() };
        let databases = target::databases(self.dialect);
        let runs = |at: &&&str| self.run(statement, &statement.normalised, at).is_ok();
        let Some(database) = databases.iter().find(runs) else {
            let reason = known.and_then(|known| known.error.clone());
            entry.error = Some(reason.unwrap_or_default());
            entry.original = known.and_then(|known| known.original.clone());
            return entry;
        };
        entry.on = (database != databases.first().expect("one")).then(|| (*database).to_owned());
        let done = self.run(statement, &statement.original, database);
        let done = done.or_else(|_| {
            let reason = known.and_then(|known| known.original.clone());
            entry.original = Some(reason.unwrap_or_default());
            self.run(statement, &statement.normalised, database)
        });
        let Done { names: _, rows, gone, new } = done.expect("it ran a moment ago");
        Expected { rows, gone, new, ..entry }
    }

    /// What is not as it must be.
    fn compare(&mut self, statement: &Statement, entry: &Expected) -> Vec<String> {
        if entry.error.is_some() {
            return self.compare_failures(statement, entry);
        }
        let mut wrong = Vec::new();
        let database = entry.database();
        let runs = self.run(statement, &statement.normalised, database);
        let sent = self.run(statement, &statement.original, database);
        match &runs {
            Ok(done) if entry.is(done) => {}
            other => wrong.push(format!("the text that runs: {other:?}")),
        }
        match (&sent, &runs, &entry.original) {
            (Err(_), _, Some(reason)) if reason.is_empty() => {
                wrong.push(format!("say why the text that was sent fails: {sent:?}"));
            }
            // What is wrong with the text that runs has been said.
            (Err(_), _, Some(_)) | (Ok(_), Err(_), None) => {}
            (Ok(_), _, Some(_)) => wrong.push("the engine takes the text that was sent".into()),
            (Err(failure), _, None) => wrong.push(format!("the text that was sent: {failure:?}")),
            (Ok(sent), Ok(runs), None) => {
                // Other engines name outputs after their text.
                let same_names = self.dialect != Engine::Postgres || sent.names == runs.names;
                if !same_names || !entry.is(sent) {
                    wrong.push(format!("the text that was sent: {sent:?}"));
                }
            }
        }
        wrong
    }

    /// Both texts fail everywhere, and for the same reason unless a line says otherwise.
    fn compare_failures(&mut self, statement: &Statement, entry: &Expected) -> Vec<String> {
        let mut wrong = Vec::new();
        let differs = entry.original.is_some();
        for database in target::databases(self.dialect) {
            let runs = self.run(statement, &statement.normalised, database);
            let sent = self.run(statement, &statement.original, database);
            match (&runs, &sent) {
                (Err(runs), Err(sent)) if runs.code == sent.code || differs => {}
                _ => wrong.push(format!("must fail in both texts: {runs:?} {sent:?}")),
            }
            if entry.error.as_ref().is_none_or(String::is_empty) {
                wrong.push(format!("say why it fails: {runs:?}"));
            }
        }
        wrong
    }

    fn run(&mut self, statement: &Statement, text: &str, database: &str) -> Result<Done, Failure> {
        let client = self.clients.get_mut(database).expect("a database of the fixture");
        let Some(table) = &statement.written else {
            let Answer { names, mut rows } = client.ask(text)?;
            if !statement.normalised.lines().any(|line| line.starts_with("ORDER BY ")) {
                rows.sort();
            }
            return Ok(Done { names, rows: Some(rows), gone: None, new: None });
        };
        let all = target::all_rows(table, self.dialect);
        client.must("BEGIN");
        let before = client.must(&all).rows;
        let outcome = client.ask(text);
        let after = outcome.map(|_| client.must(&all).rows);
        client.must("ROLLBACK");
        let after = after?;
        let (gone, new) = (without(&before, &after), without(&after, &before));
        Ok(Done { names: Vec::new(), rows: None, gone: Some(gone), new: Some(new) })
    }
}

/// The rows of the one that the other has not as often, sorted.
fn without(one: &Rows, other: &Rows) -> Rows {
    let mut left = other.clone();
    let mut rows = one.clone();
    rows.retain(|row| match left.iter().position(|candidate| candidate == row) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    });
    rows.sort();
    rows
}
