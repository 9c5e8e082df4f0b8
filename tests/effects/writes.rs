//! Statements that may write: ready, asked for, sent once, and never after the gate stays closed.

use super::fake::Ledger;
use super::world::World;
use dbeast::events::{
    Audience, Level, Operation, RequestEvent, ResultPayload, Scope, ServerEvent, SessionEvent,
    SharingEvent, SourceChange, SourceEvent, TableLevel, VerifiedWrite,
};
use dbeast::ids::RequestId;
use dbeast::reducer::state::{EntryKind, Status};
use dbeast::value::{Engine, Guard, ResultLimit, TableName};
use std::sync::Arc;

const TEXT: &str = "update main.orders set note = 'x' where id = 1";

pub(crate) fn statement(sql: &str) -> Operation {
    let write = dbeast::sql::verify_table_write(sql, Engine::Sqlite).ok().map(|write| {
        let dbeast::sql::VerifiedTableWrite { sql, table, columns, touches_all_rows } = write;
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Arc::new(VerifiedWrite { sql: sql.into(), table, columns, touches_all_rows })
    });
    Operation::RequestSql { sql: sql.into(), write }
}

async fn running(world: &World, id: &str, sql: &str) -> RequestId {
    let request = world.submit(id, statement(sql)).await;
    world.until(|state| state.requests[&request].status == Status::Running).await;
    request
}

async fn cancel(world: &World, request: &RequestId) {
    let (client, token_hash) = (world.client.clone(), world.token);
    let request = request.clone();
    world.send(RequestEvent::Cancelled { client, token_hash, request }).await;
}

#[tokio::test]
async fn a_statement_runs_in_the_words_of_the_agent_and_says_what_it_did() {
    let ledger = Ledger::new(1, 1);
    let world = World::with(Level::Ask, ledger.outside()).await;
    // No write of one table, so the database is not even asked what it expects.
    let text = "  UPDATE main.orders\n SET note = (SELECT 'x') -- as it is";
    let request = world.submit("r1", statement(text)).await;
    assert_eq!(world.store.state().requests[&request].status, Status::Pending);
    assert_eq!(ledger.opened(), 0, "nothing is touched before the person has decided");
    world.send(RequestEvent::Allowed { request: request.clone(), scope: Scope::Once }).await;
    let ended = world.ended(&request).await;
    assert_eq!(ended.status, Status::Completed);
    assert_eq!(ledger.sent(), [text]);
    let body = ended.result.unwrap();
    let ResultPayload::Rows { rows, .. } = body.payload() else { panic!("{body:?}") };
    assert_eq!(rows.affected_rows, Some(3));
    assert_eq!((rows.truncated_by, rows.bytes), (Some(ResultLimit::CellBytes), 4));
    assert_eq!(rows.guards, [Guard::SingleStatement]);
}

#[tokio::test]
async fn a_write_of_a_shared_table_runs_in_the_words_of_dbeast_with_its_columns() {
    let ledger = Ledger::new(1, 1);
    let world = World::with(Level::Ask, ledger.outside()).await;
    let table = TableName { schema: "main".into(), name: "orders".into() };
    let audience = Audience::Client(world.client.clone());
    let (source, level) = (world.source.clone(), Some(TableLevel::ReadWrite));
    world.send(SharingEvent::TableSet { source, audience, table, level }).await;
    let request = world.submit("r1", statement(TEXT)).await;
    let ended = world.ended(&request).await;
    assert_eq!(ended.status, Status::Completed);
    let [sent] = <[String; 1]>::try_from(ledger.sent()).unwrap();
    assert!(sent.starts_with("UPDATE \"main\".\"orders\"\nSET \"note\""), "{sent}");
    assert!(sent.ends_with("[id, note]"), "{sent}");
    let body = ended.result.unwrap();
    let ResultPayload::Rows { rows, .. } = body.payload() else { panic!("{body:?}") };
    assert_eq!(rows.guards, [Guard::TypedStatement, Guard::SingleStatement]);
}

#[tokio::test]
async fn what_is_taken_away_before_the_go_ahead_is_never_sent() {
    for deed in ["cancel", "unshare", "session", "password"] {
        let ledger = Ledger::new(0, 1);
        let world = World::with(Level::ReadWrite, ledger.outside()).await;
        let request = running(&world, "r1", TEXT).await;
        match deed {
            "cancel" => cancel(&world, &request).await,
            "unshare" => world.share(None).await,
            "session" => world.send(SessionEvent::Revoked { session: world.session.clone() }).await,
            _ => {
                let (source, change) = (world.source.clone(), SourceChange::Password);
                world.send(SourceEvent::Changed { source, change }).await;
            }
        }
        // Only now everything is ready, and the gate is asked.
        ledger.may_get_ready.add_permits(1);
        let state = world.until(|state| state.tasks.is_empty()).await;
        assert_eq!(ledger.sent(), [""; 0], "{deed}");
        let status = state.requests.get(&request).map(|request| request.status);
        let expected = match deed {
            "cancel" => Some(Status::Cancelled),
            "session" => None,
            _ => Some(Status::Revoked),
        };
        assert_eq!(status, expected, "{deed}");
    }
}

#[tokio::test]
async fn what_is_taken_away_after_the_go_ahead_has_an_unknown_outcome_and_its_end_is_noted() {
    let ledger = Ledger::new(1, 0);
    let world = World::with(Level::ReadWrite, ledger.outside()).await;
    let request = running(&world, "r1", TEXT).await;
    ledger.until(|ledger| !ledger.sent().is_empty()).await;
    cancel(&world, &request).await;
    let status = world.store.state().requests[&request].status;
    assert_eq!(status, Status::OutcomeUnknown);
    assert_eq!(world.store.state().tasks.len(), 1, "the slot is held until the end is seen");
    ledger.may_end.add_permits(1);
    let state = world.until(|state| state.tasks.is_empty()).await;
    assert_eq!(state.requests[&request].status, Status::OutcomeUnknown);
    let last = state.activity.entries().into_iter().next_back().unwrap().clone();
    assert_eq!(last.kind, EntryKind::StatementEnded);
    assert_eq!(ledger.sent().len(), 1);
}

#[tokio::test]
async fn the_end_of_the_program_closes_the_gate() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::ReadWrite, ledger.outside()).await;
    running(&world, "r1", TEXT).await;
    // As the program ends: nobody has a session any more, then the runner is told.
    world.send(ServerEvent::Stopped).await;
    world.shutdown.cancel();
    ledger.may_get_ready.add_permits(1);
    world.running.await.unwrap();
    assert_eq!(ledger.sent(), [""; 0]);
    assert!(world.store.state().tasks.is_empty());
    assert_eq!((ledger.opened(), ledger.closed()), (1, 1));
}

#[tokio::test]
async fn a_driver_that_breaks_off_in_a_write_is_not_said_to_have_done_nothing() {
    let ledger = Ledger::new(1, 1);
    let world = World::with(Level::ReadWrite, ledger.outside()).await;
    let request = world.submit("r1", statement("select panic")).await;
    assert_eq!(world.ended(&request).await.status, Status::OutcomeUnknown);
    world.until(|state| state.tasks.is_empty()).await;
}
