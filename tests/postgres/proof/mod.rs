//! What the driver proves and what it refuses, for which reason: one table of cases per family.
//!
//! Each case has a database with nothing in it but a schema `s`. The superuser's part comes first, then
//! the owner's with `s` in its search path. Then the table `s.t`, or the view `s.v` if there is one, is described and
//! read, by an account that may lock tables with the full lock, and by one that may only read with the weaker
//! lock. All four answers must be the expected one.

mod built_ins;
mod checks;
mod columns;
mod indexes;
mod kinds;
mod names;
mod privileges;
mod tables;
mod view_functions;
mod view_parts;
mod view_sources;

use super::common::{any_read, assert_says_nothing, driver, table, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{Driver, DriverError};
use dbeast::reason::DatabaseReason;
use dbeast::value::{Guard, ReadLock, TableName};
use std::collections::BTreeMap;

/// What one table leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    title: &'static str,
    superuser: &'static str,
    owner: &'static str,
    finally: &'static str,
    target: (&'static str, &'static str),
    asks: &'static [(Role, ReadLock)],
    /// Empty if it is accepted. More than one where several are true and none is more to the point.
    reasons: &'static [DatabaseReason],
}

/// The two ways in which agents read.
const USUAL: &[(Role, ReadLock)] =
    &[(Role::Writer, ReadLock::Full), (Role::Reader, ReadLock::Weak)];

/// It is read.
const fn accepted(title: &'static str, owner: &'static str) -> Case {
    refused(title, owner, &[])
}

/// It is refused for this reason, or for one of these.
const fn refused(
    title: &'static str,
    owner: &'static str,
    reasons: &'static [DatabaseReason],
) -> Case {
    let target = ("s", "");
    Case { title, superuser: "", owner, finally: "", target, asks: USUAL, reasons }
}

impl Case {
    /// What the superuser does first.
    const fn superuser(self, superuser: &'static str) -> Self {
        Self { superuser, ..self }
    }

    /// What the superuser does at last.
    const fn finally(self, finally: &'static str) -> Self {
        Self { finally, ..self }
    }

    /// Another relation than `s.t` or `s.v`.
    const fn of(self, schema: &'static str, name: &'static str) -> Self {
        Self { target: (schema, name), ..self }
    }

    /// Who asks, with which lock.
    const fn asks(self, asks: &'static [(Role, ReadLock)]) -> Self {
        Self { asks, ..self }
    }

    fn target(&self) -> TableName {
        match self.target {
            (schema, "") if self.owner.contains(" VIEW v ") => table(schema, "v"),
            (schema, "") => table(schema, "t"),
            (schema, name) => table(schema, name),
        }
    }

    /// What is wrong with the driver's answers.
    async fn check(&self, database: &Database<'_>) -> Vec<String> {
        let mut superuser = database.connect(Role::Superuser);
        superuser.must("CREATE SCHEMA s AUTHORIZATION t_owner");
        superuser.must("GRANT USAGE ON SCHEMA s TO t_writer, t_nolock, t_reader");
        superuser.must("SET search_path = s, public");
        let mut owner = database.connect(Role::Owner);
        owner.must("SET search_path = s, public");
        let made = superuser
            .ask(self.superuser)
            .and_then(|_| owner.ask(self.owner))
            .and_then(|_| superuser.ask(self.finally));
        if let Err(failure) = made {
            return vec![format!("{}: cannot be made: {}", self.title, failure.message)];
        }
        let target = self.target();
        let mut wrong = BTreeMap::new();
        for (role, lock) in self.asks {
            let driver = driver(database, *role, *lock);
            let server = database.location(*role);
            let answers = ask(&*driver, &target, *lock).await;
            for (what, answer) in ["describe", "read"].into_iter().zip(answers) {
                if let Err(error) = &answer {
                    assert_says_nothing(error, &server);
                }
                if let Some(difference) = self.difference(&answer) {
                    wrong.entry(difference).or_insert(Vec::new()).push(format!("{what} {lock:?}"));
                }
            }
            driver.close().await;
        }
        let line = |(difference, asked): (String, Vec<String>)| {
            format!("{}: {difference} ({})", self.title, asked.join(", "))
        };
        wrong.into_iter().map(line).collect()
    }

    fn difference(&self, answer: &Result<(), DriverError>) -> Option<String> {
        let codes: Vec<_> = self.reasons.iter().map(|reason| reason.code()).collect();
        match answer {
            Ok(()) if self.reasons.is_empty() => None,
            Ok(()) => Some(format!("accepted, expected {codes:?}")),
            Err(error) if self.reasons.contains(&error.reason()) => None,
            Err(error) => {
                let (code, cause) = (error.reason().code(), error.cause());
                Some(format!("{code} ({cause}), expected {codes:?}"))
            }
        }
    }
}

/// Describes and reads a table. What is accepted must say under which guards, and be one table to both.
async fn ask(
    driver: &dyn Driver,
    target: &TableName,
    lock: ReadLock,
) -> [Result<(), DriverError>; 2] {
    let described = driver.describe_table(target, None, &task()).await;
    let read = driver.read(&any_read(target), None, &task()).await;
    if let (Ok(described), Ok(read)) = (&described, &read) {
        assert_eq!(described.identities, read.identities, "{target}");
        let names: Vec<_> = read.identities.iter().map(|(name, _)| name).collect();
        assert_eq!(names, [target]);
        let guards = &read.value.guards;
        for guard in [Guard::ReadOnlyTransaction, Guard::TableProof, Guard::SearchPath] {
            assert!(guards.contains(&guard), "{target}: {guard:?} is not in {guards:?}");
        }
        assert_eq!(guards.contains(&Guard::WeakReadLock), lock == ReadLock::Weak, "{guards:?}");
        // What cannot be locked fully is proven again under either lock.
        assert!(guards.contains(&Guard::ProvenAgain) || lock == ReadLock::Full, "{guards:?}");
    }
    [described.map(drop), read.map(drop)]
}

/// Checks every case of a family and says all that is wrong at once.
fn check(family: &str, cases: &[Case]) {
    assert!(!cases.is_empty());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let shared = Database::shared();
    let mut wrong = Vec::new();
    for case in cases {
        if case.superuser.is_empty() && case.finally.is_empty() {
            wrong.extend(runtime.block_on(case.check(&shared)));
            shared.reset();
        } else {
            wrong.extend(runtime.block_on(case.check(&Database::shared())));
        }
    }
    assert!(wrong.is_empty(), "{family}: of {} cases\n{}", cases.len(), wrong.join("\n"));
}

/// Every family.
const FAMILIES: &[(&str, &[Case])] = &[
    ("built-ins", built_ins::CASES),
    ("checks", checks::CASES),
    ("columns", columns::CASES),
    ("indexes", indexes::CASES),
    ("kinds", kinds::CASES),
    ("names", names::CASES),
    ("privileges", privileges::CASES),
    ("tables", tables::CASES),
    ("functions of views", view_functions::CASES),
    ("parts of views", view_parts::CASES),
    ("sources of views", view_sources::CASES),
];

#[test]
fn there_are_enough_cases_and_each_is_told_once() {
    let mut titles: Vec<_> = FAMILIES
        .iter()
        .flat_map(|(family, cases)| cases.iter().map(move |case| (family, case.title)))
        .collect();
    let all = titles.len();
    titles.sort_unstable();
    let twice: Vec<_> = titles.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(all >= 150, "{all}");
}
