//! How requests and sessions end, and what an agent is told then.

use super::support::{KEY, OTHER_KEY, get, query, request_id, rows, shared};
use dbeast::events::{
    ClientEvent, Level, RequestEvent, Scope, SessionEvent, TaskOutcome, WithheldText,
};
use dbeast::reason::{DatabaseReason, Reason};
use serde_json::{Value, json};

#[tokio::test]
async fn each_end_of_a_request_has_its_code() {
    let (mut world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let denied =
        RequestEvent::Denied { request: request_id(&asked), note: Some("Not this month.".into()) };
    world.happens(denied).await;
    let answer = get(&world, &agent, &token, &asked).await;
    assert_eq!(answer["status"], "denied");
    assert_eq!(answer["error"]["code"], "permission_denied");
    assert_eq!(answer["note"], "Not this month.");

    let asked = world.says(&agent, "query_sql", query(&token, &source, OTHER_KEY)).await;
    let arguments = json!({ "session_token": token, "request_id": asked["request_id"] });
    let answer = world.says(&agent, "cancel_request", arguments).await;
    assert_eq!(
        (&answer["status"], &answer["error"]["code"]),
        (&json!("cancelled"), &json!("cancelled"))
    );

    let failures = [
        (DatabaseReason::TableIsView, "unsupported_safe_read", "table_is_view"),
        (DatabaseReason::CellTooLarge, "limit_exceeded", "cell_too_large"),
        (DatabaseReason::ExecutionFailed, "execution_failed", "execution_failed"),
        (DatabaseReason::SourceMissing, "execution_failed", "source_missing"),
    ];
    for (number, (reason, code, word)) in failures.into_iter().enumerate() {
        let key = format!("00000000-0000-4000-8000-00000000010{number}");
        let asked = world.says(&agent, "query_sql", query(&token, &source, &key)).await;
        world
            .happens(RequestEvent::Allowed { request: request_id(&asked), scope: Scope::Once })
            .await;
        let (task, _) = world.work().await;
        let cause = "/home/dana/secret/payroll.db: no such table".into();
        let cause = Some(WithheldText::new(cause, [7; 32]));
        let reason = Reason::Database(reason);
        world.finish(task, TaskOutcome::Failed { reason, cause }).await;
        let answer = get(&world, &agent, &token, &asked).await;
        assert_eq!(answer["status"], "failed");
        assert_eq!(
            (&answer["error"]["code"], &answer["error"]["reason"]),
            (&json!(code), &json!(word))
        );
        assert!(!answer.to_string().contains("dana"), "{answer}");
    }

    let key = "00000000-0000-4000-8000-000000000200";
    let asked = world.says(&agent, "query_sql", query(&token, &source, key)).await;
    world.share(&source, &agent, None).await;
    let answer = get(&world, &agent, &token, &asked).await;
    assert_eq!(
        (&answer["status"], &answer["error"]["code"]),
        (&json!("revoked"), &json!("permission_denied"))
    );
}

#[tokio::test]
async fn time_ends_decisions_results_and_sessions() {
    let (mut world, agent, source, token) = shared(Level::Ask).await;
    let undecided = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let finished = world.says(&agent, "query_sql", query(&token, &source, OTHER_KEY)).await;
    world
        .happens(RequestEvent::Allowed { request: request_id(&finished), scope: Scope::Once })
        .await;
    let (task, _) = world.work().await;
    world.finish(task, rows(&["id"], vec![], false)).await;
    world.later(300_000);
    let answer = get(&world, &agent, &token, &undecided).await;
    assert_eq!(
        (&answer["status"], &answer["error"]["code"]),
        (&json!("expired"), &json!("permission_denied"))
    );
    let answer = get(&world, &agent, &token, &finished).await;
    assert_eq!((&answer["status"], &answer["result"]), (&json!("result_expired"), &Value::Null));
    let again = world.says(&agent, "query_sql", query(&token, &source, OTHER_KEY)).await;
    assert_eq!(again["status"], "result_expired", "the key stays reserved");
    world.later(1_200_000);
    let answer = get(&world, &agent, &token, &finished).await;
    assert_eq!(answer["error"]["code"], "session_expired");
}

#[tokio::test]
async fn reading_keeps_a_session_alive_and_makes_at_most_one_event_a_second() {
    let (world, agent, _, token) = shared(Level::Ask).await;
    let arguments = json!({ "session_token": token });
    for _ in 0..3 {
        world.later(1_100_000);
        let answer = world.says(&agent, "list_catalog", arguments.clone()).await;
        assert!(answer["error"].is_null(), "{answer}");
    }
    let before = world.store.state().seq;
    for _ in 0..20 {
        world.says(&agent, "list_catalog", arguments.clone()).await;
    }
    assert_eq!(world.store.state().seq, before);
    world.later(1_000);
    world.says(&agent, "list_catalog", arguments).await;
    assert_eq!(world.store.state().seq, before + 1);
}

#[tokio::test]
async fn what_the_person_takes_away_is_gone_at_once() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let session = world.store.state().sessions.keys().next().unwrap().clone();
    world.happens(SessionEvent::Revoked { session }).await;
    assert_eq!(get(&world, &agent, &token, &asked).await["error"]["code"], "session_expired");
    world.happens(ClientEvent::Revoked { client: agent.client.clone() }).await;
    assert!(
        world.store.state().client_of(&dbeast::effects::ids::hash_token(&agent.token)).is_none()
    );
}
