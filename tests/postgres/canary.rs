//! Code of somebody else, in every position of a schema that a read could reach: whatever the driver answers,
//! it has not run.
//!
//! The canary writes in two ways that no rolled-back or read-only transaction hides: through another connection
//! of its own into a table, and by COPY into a file of the server. Each position comes with a statement that
//! does make it sing, so that a position where it cannot sing is no proof of anything.

use super::common::{driver, quoted, reading, table, task};
use super::positions::{POSITIONS, Position};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, PostgresClient, Role};
use dbeast::drivers::{Driver, TableWrite};
use dbeast::value::{ReadLock, TableName};
use std::path::PathBuf;

/// What may be asked of any table; those that the position adds come besides.
const READS: &[&str] = &[
    "SELECT * FROM {t} AS \"x\"",
    "SELECT count(*) AS \"n\" FROM {t} AS \"x\" WHERE \"x\".\"a\" > 0 AND \"x\".\"a\" < 5",
    "SELECT DISTINCT \"x\".\"a\" FROM {t} AS \"x\" ORDER BY \"x\".\"a\"",
    "SELECT \"x\".\"a\", count(*) AS \"n\" FROM {t} AS \"x\" JOIN {t} AS \"y\" ON \"x\".\"a\" = \"y\".\"a\" GROUP BY \"x\".\"a\"",
    "SELECT CAST(\"x\".\"a\" AS TEXT) AS \"c\" FROM {t} AS \"x\" WHERE \"x\".\"a\" IN (1, 2, 3)",
];

/// What may be written to any table; only estimated here.
const WRITES: &[&str] = &[
    "INSERT INTO {t} (\"a\") VALUES (7)",
    "UPDATE {t} SET \"a\" = 7 WHERE \"a\" > 1",
    "DELETE FROM {t} WHERE \"a\" > 1",
];

/// Everybody who may ask, with either lock.
const ASKS: [(Role, ReadLock); 4] = [
    (Role::Writer, ReadLock::Full),
    (Role::Reader, ReadLock::Weak),
    (Role::Superuser, ReadLock::Full),
    (Role::Superuser, ReadLock::Weak),
];

/// A database with a canary in it.
struct Cage {
    database: Database<'static>,
    file: PathBuf,
}

impl Cage {
    fn new() -> Self {
        let database = Database::shared();
        let server = database.server();
        let (folder, port, name) = (server.folder(), server.port(), database.name());
        let file = folder.join(format!("canary-{name}"));
        let (folder, path) = (folder.display(), file.display());
        let mut superuser = database.connect(Role::Superuser);
        superuser.must("CREATE SCHEMA s; GRANT USAGE ON SCHEMA s TO public");
        superuser
            .must("CREATE EXTENSION dblink SCHEMA public; CREATE TABLE public.fired (place text)");
        // What calls it says that it is immutable: that is what somebody who wants it to run would write.
        superuser.must(&format!(
            "CREATE FUNCTION s.sing(place text) RETURNS bool LANGUAGE plpgsql SECURITY DEFINER
             SET search_path = public, pg_catalog AS $$
             BEGIN
               COPY (SELECT 'sang') TO '{path}';
               PERFORM dblink_exec('host={folder} port={port} user=postgres dbname={name}',
                                   format('INSERT INTO public.fired VALUES (%L)', place));
               RETURN true;
             END $$;
             CREATE FUNCTION s.sing_int(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
               'BEGIN PERFORM s.sing(''int''); RETURN $1; END';
             CREATE FUNCTION s.sing_bool(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
               'BEGIN PERFORM s.sing(''bool''); RETURN $1 > 0; END';
             CREATE FUNCTION s.sing_pair(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
               'BEGIN PERFORM s.sing(''pair''); RETURN $1 = $2; END';
             CREATE FUNCTION s.sing_trigger() RETURNS trigger LANGUAGE plpgsql AS
               'BEGIN PERFORM s.sing(''trigger''); RETURN NEW; END'"
        ));
        Self { database, file }
    }

    fn superuser(&self) -> PostgresClient {
        let mut client = self.database.connect(Role::Superuser);
        client.must("SET search_path = s, public");
        client
    }

    fn quieten(&self) {
        self.superuser().must("DELETE FROM public.fired");
        let _ = std::fs::remove_file(&self.file);
    }

    fn has_sung(&self) -> bool {
        self.file.exists() || self.superuser().value("SELECT count(*) FROM public.fired") != "0"
    }

    /// Asks everything, and says what was answered and after what it sang.
    async fn ask(&self, position: &Position) -> (Vec<String>, Vec<String>) {
        let (mut answers, mut songs) = (Vec::new(), Vec::new());
        let target = table("s", position.target());
        for (role, lock) in ASKS {
            let driver = driver(&self.database, role, lock);
            let listed = driver.list_tables(&task()).await.map(drop);
            self.note("list", listed.map_err(|error| error.reason().code()), &mut songs);
            let described = driver.describe_table(&target, None, &task()).await.map(drop);
            let described = described.map_err(|error| error.reason().code());
            answers.push(format!("{role:?} {lock:?}: {described:?}"));
            self.note("describe", described, &mut songs);
            for sql in READS.iter().chain(position.reads) {
                let read = reading(&named(sql, &target), &target);
                let read = driver.read(&read, None, &task()).await.map(drop);
                self.note(sql, read.map_err(|error| error.reason().code()), &mut songs);
            }
            self.estimate(&*driver, &target, &mut songs).await;
            driver.close().await;
        }
        (answers, songs)
    }

    async fn estimate(&self, driver: &dyn Driver, target: &TableName, songs: &mut Vec<String>) {
        for sql in WRITES {
            let (sql, table) = (named(sql, target), target.clone());
            let write = TableWrite { sql, table, columns: vec!["a".to_owned()] };
            let estimated = driver.estimate(&write, &task()).await.map(drop);
            self.note(&write.sql, estimated.map_err(|error| error.reason().code()), songs);
        }
    }

    fn note(&self, what: &str, answer: Result<(), &str>, songs: &mut Vec<String>) {
        if self.has_sung() {
            let song = format!("{what}: {answer:?}");
            if !songs.contains(&song) {
                songs.push(song);
            }
            self.quieten();
        }
    }
}

fn named(sql: &str, target: &TableName) -> String {
    sql.replace("{t}", &format!("{}.{}", quoted(&target.schema), quoted(&target.name)))
}

/// A position in a cage of its own.
async fn check(position: &Position) -> Vec<String> {
    let title = position.title;
    let cage = Cage::new();
    let mut superuser = cage.superuser();
    if let Err(failure) = superuser.ask(position.made) {
        return vec![format!("{title}: cannot be made: {}", failure.message)];
    }
    superuser.must("GRANT SELECT ON ALL TABLES IN SCHEMA s TO t_reader, t_writer");
    superuser.must("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA s TO t_writer");
    cage.quieten();
    let (answers, songs) = cage.ask(position).await;
    let mut wrong: Vec<_> =
        songs.iter().map(|song| format!("{title}: it sang at {song}")).collect();
    cage.quieten();
    let sang = superuser.ask(position.sings).map_err(|failure| failure.message);
    if !cage.has_sung() {
        wrong.push(format!("{title}: it does not sing at all: {sang:?}"));
    }
    println!("{title}: {}", answers.join(", "));
    wrong
}

/// Four parts, so that they run at the same time.
async fn check_part(part: usize) {
    let mut wrong = Vec::new();
    for position in POSITIONS.iter().skip(part).step_by(4) {
        wrong.extend(check(position).await);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[tokio::test]
async fn it_never_sings_in_the_first_part() {
    check_part(0).await;
}

#[tokio::test]
async fn it_never_sings_in_the_second_part() {
    check_part(1).await;
}

#[tokio::test]
async fn it_never_sings_in_the_third_part() {
    check_part(2).await;
}

#[tokio::test]
async fn it_never_sings_in_the_fourth_part() {
    check_part(3).await;
}

#[tokio::test]
async fn it_is_heard_through_a_rollback_and_a_read_only_transaction() {
    let cage = Cage::new();
    cage.quieten();
    assert!(!cage.has_sung());
    for role in [Role::Superuser, Role::Reader] {
        let mut client = cage.database.connect(role);
        client.must("BEGIN READ ONLY");
        client.must("SELECT s.sing('here')");
        client.must("ROLLBACK");
        assert!(cage.file.exists());
        assert_eq!(cage.superuser().value("SELECT place FROM public.fired"), "here");
        cage.quieten();
    }
}
