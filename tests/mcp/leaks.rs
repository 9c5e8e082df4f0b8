//! What no agent may receive: where databases are, who logs in there, and the words of drivers. The helpers look for
//! it in every answer of these tests; the tests here put it wherever the person may see it.

use super::support::{Agent, KEY, World, get, query, request_id, rows, shared, text};
use dbeast::events::{
    Level, RequestEvent, Scope, TaskEvent, TaskOutcome, WithheldText, WriteEstimate,
};
use dbeast::ids::SourceId;
use dbeast::reason::{DatabaseReason, Reason};
use serde_json::json;

/// The name that the person gave to each source of these tests.
pub(crate) const NAME: &str = "Payroll of Acme";
/// The file that a source of these tests is.
pub(crate) const PATH: &str = "/home/dana/secret/payroll.db";
/// The parts of the server that a source of these tests is.
pub(crate) const HOST: &str = "db.acme.example";
pub(crate) const SERVER_PORT: u16 = 54_399;
pub(crate) const DATABASE: &str = "wages_of_2026";
pub(crate) const USER: &str = "payroll_reader";

/// What a driver has said, with everything in it that it can say.
const CAUSE: &str = "/home/dana/secret/payroll.db: unable to open database file (os error 13): FATAL: password \
                     authentication failed for user \"payroll_reader\" (28P01): db.acme.example:54399/wages_of_2026";

const HIDDEN: &[&str] = &[
    NAME,
    PATH,
    "dana",
    "payroll.db",
    HOST,
    "54399",
    DATABASE,
    USER,
    "os error",
    "No such file",
    "Permission denied",
    "Connection refused",
    "SQLITE_",
    "rusqlite",
    "no such table",
    "no such column",
    "unable to open",
    "FATAL",
    "SQLSTATE",
    "28P01",
    "authentication failed",
    "permission denied for",
    "terminating connection",
    "syntax error",
    "violates",
    "Seq Scan",
    "panicked",
    ".rs:",
    "/tmp/",
];

/// Stops the test if an agent has received anything of it.
pub(crate) fn holds_nothing_hidden(received: &[u8]) {
    if let Some(word) = found(received) {
        let received = String::from_utf8_lossy(received);
        panic!("{word:?} has reached an agent: {received}");
    }
}

fn found(received: &[u8]) -> Option<&'static str> {
    let received = String::from_utf8_lossy(received);
    HIDDEN.iter().copied().find(|word| holds(&received, word))
}

/// A number stands by itself: its digits may be part of an identifier.
fn holds(received: &str, word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    received.match_indices(word).any(|(start, _)| {
        let before = received[..start].chars().next_back();
        let after = received[start + word.len()..].chars().next();
        let is_part = [before, after].into_iter().flatten().any(char::is_alphanumeric);
        !(is_number && is_part)
    })
}

#[test]
fn each_hidden_word_is_found() {
    for word in HIDDEN {
        for around in [(*word).to_owned(), format!("{{\"a\":\"before {word}: after\"}}")] {
            assert!(found(around.as_bytes()).is_some(), "{around}");
        }
    }
    assert_eq!(found(br#"{"id":"a54399b","bytes":543991}"#), None);
    assert_eq!(found(b"{\"bytes\":54399}"), Some("54399"));
}

#[tokio::test]
#[should_panic(expected = "\"payroll.db\" has reached an agent")]
async fn an_answer_with_a_hidden_word_stops_its_test() {
    let (mut world, agent, source, token) = shared(Level::Read).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let (task, _) = world.work().await;
    world.finish(task, rows(&["note"], vec![vec![text("see payroll.db")]], false)).await;
    get(&world, &agent, &token, &asked).await;
}

/// A world with an agent and a database on a server that is shared with it.
async fn with_server(level: Level) -> (World, Agent, SourceId) {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let source = world.server().await;
    world.share(&source, &agent, Some(level)).await;
    (world, agent, source)
}

fn cause() -> WithheldText {
    WithheldText::new(CAUSE.into(), [7; 32])
}

#[tokio::test]
async fn no_reason_brings_the_words_of_a_driver_along() {
    let (mut world, agent, source) = with_server(Level::Ask).await;
    for &reason in DatabaseReason::ALL {
        let token = world.begin(&agent).await;
        let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
        let request = request_id(&asked);
        world.happens(RequestEvent::Allowed { request, scope: Scope::Once }).await;
        let (task, _) = world.work().await;
        let reason = Reason::Database(reason);
        world.finish(task, TaskOutcome::Failed { reason, cause: Some(cause()) }).await;
        let answer = get(&world, &agent, &token, &asked).await;
        assert_eq!(answer["status"], "failed", "{answer}");
        assert_eq!(answer["error"]["reason"], reason.code());
        assert_eq!(answer["error"]["message"], reason.message());
    }
}

#[tokio::test]
async fn no_other_end_does_either_and_no_estimate() {
    let (mut world, agent, source) = with_server(Level::Ask).await;
    let token = world.begin(&agent).await;
    let mut arguments = query(&token, &source, KEY);
    arguments["sql"] = json!("UPDATE main.wages SET cents = 0");
    let asked = world.says(&agent, "request_sql", arguments).await;
    let id = request_id(&asked);
    let plan = WithheldText::new(format!("Seq Scan on wages ({CAUSE})").into(), [1; 32]);
    let estimate = WriteEstimate { rows: Some(7), plan };
    world.happens(RequestEvent::Estimated { request: id.clone(), estimate }).await;
    assert_eq!(get(&world, &agent, &token, &asked).await, asked);
    world.happens(RequestEvent::Allowed { request: id, scope: Scope::Once }).await;
    let (task, _) = world.work().await;
    world.happens(TaskEvent::ReadyToSend { task }).await;
    world.finish(task, TaskOutcome::OutcomeUnknown { cause: Some(cause()) }).await;
    let answer = get(&world, &agent, &token, &asked).await;
    assert_eq!(answer["status"], "outcome_unknown");
    let catalog = world.says(&agent, "list_catalog", json!({ "session_token": token })).await;
    assert_eq!(catalog["sources"][0]["source_id"], source.as_str());
}
