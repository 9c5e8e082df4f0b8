//! A source on a real MySQL or MariaDB server, from a request to its end: password, privileges, writes, estimates,
//! and what a change of the source does to connections.
#![allow(
    dead_code,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise; parts of its world are for other tests"
)]

mod servers;
#[path = "effects/world.rs"]
mod world;

use dbeast::drivers::Server;
use dbeast::effects::passwords::Passwords;
use dbeast::effects::runner::Outside;
use dbeast::events::{
    Level, Operation, RequestEvent, ResultPayload, Scope, ServerPlace, SourceChange, SourceEvent,
    SourceLocation, VerifiedWrite,
};
use dbeast::ids::{RequestId, SourceId};
use dbeast::reducer::state::{EntryKind, Problem, Request, Status};
use dbeast::secret::Secret;
use dbeast::value::{Cell, Engine, Guard, Rows};
use servers::Client as _;
use servers::mysql::{Database, Kind, Mysql, MysqlClient, Options, Role};
use std::sync::Arc;
use world::World;

/// A database with a table of 20 rows.
fn database(kind: Kind) -> Database {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE orders (id int PRIMARY KEY, note text)");
    let rows: Vec<String> = (1..=20).map(|id| format!("({id}, 'order {id}')")).collect();
    root.must(&format!("INSERT INTO orders VALUES {}", rows.join(",")));
    database
}

fn read(database: &Database) -> String {
    format!("select id, note from {}.orders order by id", database.name())
}

const fn engine(kind: Kind) -> Engine {
    match kind {
        Kind::Mysql => Engine::Mysql,
        Kind::Mariadb => Engine::Mariadb,
    }
}

/// A program whose source is this database with this account.
async fn world(database: &Database, role: Role, level: Level) -> (World, Passwords) {
    world_as(database, role, level, database.server().kind()).await
}

/// The same, but the source may say the other engine.
async fn world_as(database: &Database, role: Role, level: Level, kind: Kind) -> (World, Passwords) {
    world_at(database.server_as(role), level, kind).await
}

async fn world_at(server: Server, level: Level, kind: Kind) -> (World, Passwords) {
    let passwords = Passwords::default();
    passwords.set(&SourceId::new("src1"), server.password);
    let place = ServerPlace {
        host: server.host.into(),
        port: server.port,
        database: server.database.into(),
        user: server.user.into(),
    };
    let location = match kind {
        Kind::Mysql => SourceLocation::Mysql(place),
        Kind::Mariadb => SourceLocation::Mariadb(place),
    };
    let outside = Outside { passwords: passwords.clone(), ..Outside::default() };
    let folder = tempfile::tempdir().unwrap();
    (World::at(level, outside, location, folder).await, passwords)
}

async fn change(world: &World, change: SourceChange) {
    world.send(SourceEvent::Changed { source: world.source.clone(), change }).await;
}

fn reason(ended: &Request) -> &'static str {
    let Some(Problem::Failed(reason)) = ended.problem else { panic!("{:?}", ended.problem) };
    reason.code()
}

fn rows(ended: &Request) -> Rows {
    let body = ended.result.as_ref().unwrap_or_else(|| panic!("{:?}", ended.problem));
    let ResultPayload::Rows { rows, .. } = body.payload() else { panic!("{body:?}") };
    rows.clone()
}

fn statement(sql: &str, kind: Kind) -> Operation {
    let write = dbeast::sql::verify_table_write(sql, engine(kind)).ok().map(|write| {
        let dbeast::sql::VerifiedTableWrite { sql, table, columns, touches_all_rows } = write;
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Arc::new(VerifiedWrite { sql: sql.into(), table, columns, touches_all_rows })
    });
    Operation::RequestSql { sql: sql.into(), write }
}

/// What the newest entry about the end of a request says of its cause.
fn cause(world: &World, kind: EntryKind) -> Option<Arc<str>> {
    let state = world.store.state();
    let entries = state.activity.entries();
    let entry = entries.into_iter().rfind(|entry| entry.kind == kind).unwrap();
    entry.cause.as_ref().and_then(|cause| cause.text().cloned())
}

fn count(root: &mut MysqlClient) -> Option<String> {
    root.must("SELECT count(*) FROM orders").rows[0][0].clone()
}

async fn an_account_that_may_select_and_see_identities_reads(kind: Kind) {
    let database = database(kind);
    let (world, _) = world(&database, Role::Reader, Level::Read).await;
    let ended = world.ended(&world.ask("r1", &read(&database)).await).await;
    let rows = rows(&ended);
    assert_eq!(rows.rows[0], [Cell::Text("1".into()), Cell::Text("order 1".into())]);
    for guard in [
        Guard::TypedStatement,
        Guard::ReadOnlyTransaction,
        Guard::SessionSettings,
        Guard::IdentityPinned,
    ] {
        assert!(rows.guards.contains(&guard), "{guard:?} of {:?}", rows.guards);
    }
}

async fn what_is_missing_is_named(kind: Kind) {
    let database = database(kind);
    for (role, code) in
        [(Role::NoProcess, "process_not_permitted"), (Role::Stranger, "database_unknown")]
    {
        let (world, _) = world(&database, role, Level::Read).await;
        let ended = world.ended(&world.ask("r1", &read(&database)).await).await;
        assert_eq!(reason(&ended), code);
    }
}

/// What an account with the grants of the form hears of `form_1`, and of `formx1`, which `form_1` means too where `_`
/// stands for any letter. `granted` is the name of the database in the grant.
async fn heard_by_an_account_of_the_form(database: &Database, granted: &str) -> [String; 2] {
    let mut root = database.root();
    for name in ["form_1", "formx1"] {
        root.must(&format!("CREATE DATABASE IF NOT EXISTS {name}"));
        root.must(&format!("CREATE TABLE IF NOT EXISTS {name}.orders (id int PRIMARY KEY)"));
        root.must(&format!("REPLACE INTO {name}.orders VALUES (7)"));
    }
    root.must("DROP USER IF EXISTS 'o''hara'@'%'");
    root.must("CREATE USER 'o''hara'@'%' IDENTIFIED BY 'sesame'");
    root.must(&format!("GRANT SELECT ON `{granted}`.* TO 'o''hara'@'%'"));
    root.must("GRANT PROCESS ON *.* TO 'o''hara'@'%'");
    let mut heard = [String::new(), String::new()];
    for (name, heard) in ["form_1", "formx1"].into_iter().zip(&mut heard) {
        let server = Server {
            database: name.to_owned(),
            user: "o'hara".to_owned(),
            password: Some(Secret::new("sesame".to_owned())),
            ..database.server_as(Role::Reader)
        };
        let (world, _) = world_at(server, Level::Read, database.server().kind()).await;
        let asked = world.ask("r1", &format!("select id from {name}.orders")).await;
        let ended = world.ended(&asked).await;
        *heard = match ended.problem {
            Some(_) => reason(&ended).to_owned(),
            None => format!("{:?}", rows(&ended).rows),
        };
    }
    heard
}

const READS: &str = r#"[[Text("7")]]"#;

/// The grant is that of `ServerFields.svelte` in the interface.
async fn the_grants_that_the_form_names_are_enough_for_one_database(kind: Kind) {
    let heard = heard_by_an_account_of_the_form(&database(kind), r"form\_1").await;
    assert_eq!(heard, [READS, "database_unknown"]);
}

/// There a name in a grant means itself, and one with a backslash another database: what the form says beside it.
async fn where_partial_revokes_is_on_the_grant_has_no_backslash(kind: Kind) {
    let options = Options { settings: &["partial_revokes=ON"] };
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, options)));
    let database = Database::new(server, "tdb");
    let heard = heard_by_an_account_of_the_form(&database, r"form\_1").await;
    assert_eq!(heard, ["database_unknown", "database_unknown"]);
    let heard = heard_by_an_account_of_the_form(&database, "form_1").await;
    assert_eq!(heard, [READS, "database_unknown"]);
}

/// The two read each other's names of things otherwise.
async fn the_other_engine_is_not_taken_for_it(kind: Kind) {
    let database = database(kind);
    let other = if kind == Kind::Mysql { Kind::Mariadb } else { Kind::Mysql };
    let (world, _) = world_as(&database, Role::Reader, Level::Read, other).await;
    let ended = world.ended(&world.ask("r1", &read(&database)).await).await;
    assert_eq!(reason(&ended), "server_not_recognised");
    let said = cause(&world, EntryKind::RequestFailed).unwrap();
    assert!(said.contains(engine(kind).title()), "{said}");
}

async fn another_password_is_used_at_once_and_agents_hear_nothing_of_the_account(kind: Kind) {
    let database = database(kind);
    let (world, passwords) = world(&database, Role::Owner, Level::Read).await;
    let sql = read(&database);
    let first = world.ask("r1", &sql).await;
    assert_eq!(world.ended(&first).await.status, Status::Completed);
    let right = passwords.set(&world.source, Some(Secret::new("wrong".to_owned())));
    change(&world, SourceChange::Password).await;
    let state = world.store.state();
    assert_eq!(state.requests[&RequestId::new("r1")].status, Status::Revoked);
    let refused = world.ended(&world.ask("r2", &sql).await).await;
    assert_eq!(reason(&refused), "login_refused");
    let user = database.user(Role::Owner);
    assert!(cause(&world, EntryKind::RequestFailed).unwrap().contains(&user));
    let Some(Problem::Failed(said)) = refused.problem else { panic!() };
    assert!(!said.message().contains(&user));
    passwords.set(&world.source, right);
    change(&world, SourceChange::Password).await;
    let again = world.ask("r3", &sql).await;
    assert_eq!(world.ended(&again).await.status, Status::Completed);
}

async fn a_write_is_estimated_for_the_person_then_allowed_once_and_done(kind: Kind) {
    let database = database(kind);
    let (world, _) = world(&database, Role::Owner, Level::Ask).await;
    let delete = format!("delete from {}.orders where id < 8", database.name());
    let request = world.submit("r1", statement(&delete, kind)).await;
    let state = world.until(|state| state.requests[&request].estimate.is_some()).await;
    let estimate = state.requests[&request].estimate.clone().unwrap();
    assert!(estimate.rows.is_some_and(|rows| (1..=20).contains(&rows)), "{:?}", estimate.rows);
    assert!(estimate.plan.text().is_some_and(|plan| plan.contains("orders")));
    let mut root = database.root();
    assert_eq!(count(&mut root).as_deref(), Some("20"), "an estimate changes nothing");
    world.send(RequestEvent::Allowed { request: request.clone(), scope: Scope::Once }).await;
    let ended = world.ended(&request).await;
    assert_eq!(rows(&ended).affected_rows, Some(7));
    assert_eq!(count(&mut root).as_deref(), Some("13"));
}

async fn a_statement_in_the_agents_words_finds_the_database_of_the_source(kind: Kind) {
    let database = database(kind);
    let (world, _) = world(&database, Role::Owner, Level::ReadWrite).await;
    let done = world.submit("r1", statement("insert into orders values (77, 'x')", kind)).await;
    assert_eq!(rows(&world.ended(&done).await).affected_rows, Some(1));
    assert_eq!(count(&mut database.root()).as_deref(), Some("21"));
}

async fn a_removed_source_leaves_no_connection(kind: Kind) {
    let database = database(kind);
    let (world, _) = world(&database, Role::Owner, Level::Read).await;
    let asked = world.ask("r1", &read(&database)).await;
    assert_eq!(world.ended(&asked).await.status, Status::Completed);
    let mut root = database.root();
    let user = database.user(Role::Owner);
    let mut connections = move || {
        let list = root.must("SHOW PROCESSLIST").rows;
        list.iter().filter(|row| row[1].as_deref() == Some(user.as_str())).count()
    };
    assert_eq!(connections(), 1, "one lies idle");
    world.send(SourceEvent::Removed { source: world.source.clone() }).await;
    let gone = async {
        while connections() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), gone).await.expect("closed");
}

macro_rules! on {
    ($place:ident, $kind:ident: $($name:ident),+) => {
        mod $place {
            use crate::servers::mysql::Kind;
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(Kind::$kind).await;
            })+
        }
    };
}

macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        on!(on_mysql, Mysql: $($name),+);
        on!(on_mariadb, Mariadb: $($name),+);
    };
}

on_both!(
    an_account_that_may_select_and_see_identities_reads,
    what_is_missing_is_named,
    the_grants_that_the_form_names_are_enough_for_one_database,
    the_other_engine_is_not_taken_for_it,
    another_password_is_used_at_once_and_agents_hear_nothing_of_the_account,
    a_write_is_estimated_for_the_person_then_allowed_once_and_done,
    a_statement_in_the_agents_words_finds_the_database_of_the_source,
    a_removed_source_leaves_no_connection,
);

// MariaDB has no such setting.
on!(only_on_mysql, Mysql: where_partial_revokes_is_on_the_grant_has_no_backslash);
