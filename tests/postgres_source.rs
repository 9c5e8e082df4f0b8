//! A source on a real PostgreSQL server, from a request to its end: password, read lock, writes, estimates, and
//! what a change of the source does to connections.
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

use dbeast::effects::passwords::Passwords;
use dbeast::effects::runner::Outside;
use dbeast::events::{
    Level, Operation, RequestEvent, ResultPayload, Scope, ServerPlace, SourceChange, SourceEvent,
    SourceLocation, VerifiedWrite,
};
use dbeast::ids::{RequestId, SourceId};
use dbeast::reducer::state::{EntryKind, Problem, Request, Status};
use dbeast::secret::Secret;
use dbeast::value::{Cell, Engine, Guard, ReadLock, Rows};
use servers::Client as _;
use servers::postgres::{Database, Role};
use std::sync::Arc;
use world::World;

const READ: &str = "select id, note from public.orders order by id";
const DELETE: &str = "delete from public.orders where id < 8";

fn database() -> Database<'static> {
    let database = Database::shared();
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE TABLE public.orders (id integer PRIMARY KEY, note text)");
    owner
        .must("INSERT INTO public.orders SELECT n, 'order ' || n FROM generate_series(1, 20) AS n");
    owner.must("ANALYZE public.orders");
    database
}

/// A program whose source is this database with this account.
async fn world(database: &Database<'_>, role: Role, level: Level) -> (World, Passwords) {
    let server = database.location(role);
    let passwords = Passwords::default();
    passwords.set(&SourceId::new("src1"), server.password);
    let location = SourceLocation::Postgres(ServerPlace {
        host: server.host.into(),
        port: server.port,
        database: server.database.into(),
        user: server.user.into(),
    });
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

fn statement(sql: &str) -> Operation {
    let write = dbeast::sql::verify_table_write(sql, Engine::Postgres).ok().map(|write| {
        let dbeast::sql::VerifiedTableWrite { sql, table, columns, touches_all_rows } = write;
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Arc::new(VerifiedWrite { sql: sql.into(), table, columns, touches_all_rows })
    });
    Operation::RequestSql { sql: sql.into(), write }
}

/// What the newest entry about the end of a request says beside it.
fn noted(world: &World, kind: EntryKind) -> (Option<Arc<str>>, Option<Arc<str>>) {
    let state = world.store.state();
    let entries = state.activity.entries();
    let entry = entries.into_iter().rfind(|entry| entry.kind == kind).unwrap();
    let cause = entry.cause.as_ref().and_then(|cause| cause.text().cloned());
    (entry.detail.clone(), cause)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_may_only_select_reads_with_the_weaker_lock_alone() {
    let database = database();
    let (world, _) = world(&database, Role::Reader, Level::Read).await;
    let refused = world.ended(&world.ask("r1", READ).await).await;
    assert_eq!(reason(&refused), "table_lock_not_permitted");
    change(&world, SourceChange::ReadLock { lock: ReadLock::Weak }).await;
    let read = world.ended(&world.ask("r2", READ).await).await;
    let rows = rows(&read);
    assert_eq!(rows.rows[0], [Cell::Text("1".into()), Cell::Text("order 1".into())]);
    assert!(
        rows.guards.contains(&Guard::WeakReadLock) && rows.guards.contains(&Guard::ProvenAgain)
    );
    let (detail, _) = noted(&world, EntryKind::RequestCompleted);
    assert!(detail.unwrap().contains("weaker read lock"));
    assert_eq!(world.store.state().requests[&RequestId::new("r1")].status, Status::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_lock_is_said_too() {
    let database = database();
    let (world, _) = world(&database, Role::Writer, Level::Read).await;
    let read = world.ended(&world.ask("r1", READ).await).await;
    assert!(rows(&read).guards.contains(&Guard::IdentityPinned));
    let (detail, _) = noted(&world, EntryKind::RequestCompleted);
    assert!(detail.unwrap().contains("full read lock"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_password_is_used_at_once_and_agents_hear_nothing_of_the_account() {
    let database = database();
    let (world, passwords) = world(&database, Role::Writer, Level::Read).await;
    assert_eq!(world.ended(&world.ask("r1", READ).await).await.status, Status::Completed);
    let right = passwords.set(&world.source, Some(Secret::new("wrong".to_owned())));
    change(&world, SourceChange::Password).await;
    let state = world.store.state();
    assert_eq!(state.requests[&RequestId::new("r1")].status, Status::Revoked);
    let refused = world.ended(&world.ask("r2", READ).await).await;
    assert_eq!(reason(&refused), "login_refused");
    let Some(Problem::Failed(said)) = refused.problem else { panic!() };
    let (_, cause) = noted(&world, EntryKind::RequestFailed);
    assert!(cause.unwrap().contains(Role::Writer.name()), "the person sees who was not let in");
    assert!(!said.message().contains(Role::Writer.name()));
    passwords.set(&world.source, right);
    change(&world, SourceChange::Password).await;
    assert_eq!(world.ended(&world.ask("r3", READ).await).await.status, Status::Completed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_estimated_for_the_person_then_allowed_once_and_done() {
    let database = database();
    let (world, _) = world(&database, Role::Writer, Level::Ask).await;
    let request = world.submit("r1", statement(DELETE)).await;
    let state = world.until(|state| state.requests[&request].estimate.is_some()).await;
    let estimate = state.requests[&request].estimate.clone().unwrap();
    // The planner's guess, and its own words.
    assert!(estimate.rows.is_some_and(|rows| (1..=20).contains(&rows)), "{:?}", estimate.rows);
    assert!(estimate.plan.text().is_some_and(|plan| plan.contains("Delete on orders")));
    let mut owner = database.connect(Role::Owner);
    let count = |client: &mut servers::postgres::PostgresClient| {
        client.must("SELECT count(*) FROM public.orders").rows[0][0].clone()
    };
    assert_eq!(count(&mut owner).as_deref(), Some("20"), "an estimate changes nothing");
    world.send(RequestEvent::Allowed { request: request.clone(), scope: Scope::Once }).await;
    let ended = world.ended(&request).await;
    assert_eq!(rows(&ended).affected_rows, Some(7));
    assert_eq!(count(&mut owner).as_deref(), Some("13"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_source_leaves_no_connection() {
    let database = database();
    let (world, _) = world(&database, Role::Writer, Level::Read).await;
    assert_eq!(world.ended(&world.ask("r1", READ).await).await.status, Status::Completed);
    world.send(SourceEvent::Removed { source: world.source.clone() }).await;
    let mut superuser = database.connect(Role::Superuser);
    let name = Role::Writer.name();
    superuser.until(&format!("NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = '{name}' AND datname = current_database())"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_for_bare_names_reaches_the_driver() {
    let database = database();
    database.connect(Role::Owner).must("CREATE SCHEMA sales CREATE TABLE leads (id integer)");
    database.connect(Role::Owner).must("GRANT USAGE ON SCHEMA sales TO t_writer");
    let (world, _) = world(&database, Role::Writer, Level::ReadWrite).await;
    let bare = "insert into leads values (1)";
    let lost = world.ended(&world.submit("r1", statement(bare)).await).await;
    assert_eq!(lost.status, Status::Failed);
    change(&world, SourceChange::Context { context: Some("sales".into()) }).await;
    let found = world.ended(&world.submit("r2", statement(bare)).await).await;
    assert_eq!(rows(&found).affected_rows, Some(1));
}
