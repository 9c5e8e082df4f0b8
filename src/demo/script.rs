//! `dbeast demo --script`: a whole conversation between a real MCP client and the person's HTTP
//! interface, through the real listeners. Each step checks what it shows and stops at a surprise.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value yields null, never a panic")]

use super::agent::Agent;
use super::person::Person;
use crate::secret::Secret;
use serde_json::{Value, json};
use std::io::Write;

/// The agent's first question: a join over two tables, with big numbers and several scripts.
const QUESTION: &str = "select c.name, c.country, o.ledger_number, o.total_cents \
from main.orders as o join main.customers as c on c.id = o.customer_id \
where o.status = 'open' order by o.total_cents desc, o.id limit 5";

/// The question that the person does not like.
const NOSY_QUESTION: &str = "select p.order_id, p.card_number from main.payments as p limit 10";

/// Something in the conversation was not as it should be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Surprise(String);

impl Surprise {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<std::io::Error> for Surprise {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Plays the conversation and writes it down step by step.
pub async fn play(
    mcp_url: &str,
    client_token: &Secret,
    person_link: &Secret,
    output: &mut impl Write,
) -> Result<(), Surprise> {
    let person = Person::enter(person_link).await?;
    writeln!(output, "person  opens the one-time link; it is used up now")?;
    let mut agent = Agent::connect(mcp_url, client_token).await?;
    writeln!(output, "agent   connects ({}) and finds {} tools", agent.protocol, agent.tools)?;
    let source = begin(&mut agent, output).await?;
    approval(&mut agent, &person, &source, output).await?;
    refusal(&mut agent, &source, output).await?;
    denial(&mut agent, &person, &source, output).await?;
    farewell(&mut agent, output).await?;
    let older = Agent::connect_older(mcp_url, client_token).await?;
    writeln!(
        output,
        "agent   connects once more ({}) and finds {} tools",
        older.protocol, older.tools
    )?;
    check(older.tools == agent.tools, "both protocol generations offer the same tools")?;
    writeln!(
        output,
        "\nThat was the whole loop: asked, seen, allowed once, answered; refused; denied."
    )?;
    Ok(())
}

async fn begin(agent: &mut Agent, output: &mut impl Write) -> Result<String, Surprise> {
    let session = agent.begin_session("demo conversation").await?;
    writeln!(output, "agent   begins session {session}; it has no permissions")?;
    let catalog = agent.call("list_catalog", json!({})).await?;
    let source = &catalog["sources"][0];
    let id = source["source_id"].as_str().unwrap_or_default().to_owned();
    writeln!(
        output,
        "agent   sees in the catalog: {} ({}), access: {}",
        text(&source["alias"]),
        text(&source["engine"]),
        text(&source["shared_access"]),
    )?;
    check(source["shared_access"] == "ask", "the source is shared at `ask`")?;
    Ok(id)
}

async fn approval(
    agent: &mut Agent,
    person: &Person,
    source: &str,
    output: &mut impl Write,
) -> Result<(), Surprise> {
    let key = Agent::fresh_key()?;
    writeln!(output, "\nagent   query_sql: {QUESTION}")?;
    let asked = agent.query(source, &key, QUESTION).await?;
    check(asked["status"] == "pending", "the request waits for the person")?;
    let id = text(&asked["request_id"]).to_owned();
    writeln!(output, "        {id} is pending; nothing has run")?;
    let prompt = person.prompt(&id).await?;
    show_prompt(&prompt, output)?;
    person.allow(&id).await?;
    writeln!(output, "person  presses Allow once")?;
    let answered = agent.await_end(&id).await?;
    check(answered["status"] == "completed", "the allowed request completes")?;
    show_rows(&answered["result"], output)?;
    let again = agent.query(source, &key, QUESTION).await?;
    check(again["request_id"] == id.as_str(), "the same key answers with the same request")?;
    writeln!(
        output,
        "agent   sends the same request_key again: the same request, nothing runs twice"
    )?;
    let refused = person.allow(&id).await;
    check(refused.is_err(), "a request can be allowed only while it is pending")?;
    Ok(())
}

async fn refusal(agent: &mut Agent, source: &str, output: &mut impl Write) -> Result<(), Surprise> {
    let statement = "delete from main.orders";
    writeln!(output, "\nagent   query_sql: {statement}")?;
    let refused = agent.refused_query(source, &Agent::fresh_key()?, statement).await?;
    writeln!(
        output,
        "        refused: {} ({})",
        text(&refused["error"]["code"]),
        text(&refused["error"]["message"]),
    )?;
    check(refused["error"]["code"] == "unsupported_safe_read", "a write is refused")
}

async fn denial(
    agent: &mut Agent,
    person: &Person,
    source: &str,
    output: &mut impl Write,
) -> Result<(), Surprise> {
    writeln!(output, "\nagent   query_sql: {NOSY_QUESTION}")?;
    let asked = agent.query(source, &Agent::fresh_key()?, NOSY_QUESTION).await?;
    check(asked["status"] == "pending", "the request waits for the person")?;
    let id = text(&asked["request_id"]).to_owned();
    let prompt = person.prompt(&id).await?;
    show_prompt(&prompt, output)?;
    person.deny(&id, "No card data, please.").await?;
    writeln!(output, "person  presses Deny: No card data, please.")?;
    let answered = agent.await_end(&id).await?;
    check(answered["status"] == "denied", "the denied request is denied")?;
    check(answered["result"].is_null(), "a denied request has no result")?;
    writeln!(
        output,
        "agent   learns: {}, {}; the person says: {}",
        text(&answered["status"]),
        text(&answered["error"]["code"]),
        text(&answered["note"]),
    )?;
    Ok(())
}

async fn farewell(agent: &mut Agent, output: &mut impl Write) -> Result<(), Surprise> {
    agent.call("end_session", json!({})).await?;
    let late = agent.refused_call("list_catalog", json!({})).await?;
    check(late["error"]["code"] == "session_expired", "an ended session opens nothing")?;
    writeln!(output, "\nagent   ends the session; its token opens nothing any more")?;
    Ok(())
}

fn show_prompt(prompt: &Value, output: &mut impl Write) -> Result<(), Surprise> {
    writeln!(
        output,
        "person  is asked: connection {}, which calls itself \"{}\", wants {} on {}",
        text(&prompt["client_label"]),
        text(&prompt["session_label"]),
        text(&prompt["operation"]),
        text(&prompt["source_name"]),
    )?;
    writeln!(output, "        exactly this would run:")?;
    for line in text(&prompt["sql"]).lines() {
        writeln!(output, "          {line}")?;
    }
    Ok(())
}

fn show_rows(result: &Value, output: &mut impl Write) -> Result<(), Surprise> {
    let columns = result["columns"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rows = result["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    check(!rows.is_empty(), "the result has rows")?;
    let line = |cells: &[Value]| {
        cells
            .iter()
            .map(|cell| if cell.is_null() { "NULL".to_owned() } else { text(cell).to_owned() })
            .collect::<Vec<_>>()
            .join(" | ")
    };
    writeln!(output, "agent   receives {} rows (truncated: {})", rows.len(), result["truncated"])?;
    writeln!(output, "        {}", line(columns))?;
    for row in rows {
        writeln!(
            output,
            "        {}",
            line(row.as_array().map(Vec::as_slice).unwrap_or_default())
        )?;
    }
    writeln!(output, "        guards that engaged: {}", result["guards"])?;
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

fn check(holds: bool, expectation: &str) -> Result<(), Surprise> {
    if holds { Ok(()) } else { Err(Surprise::new(format!("this did not hold: {expectation}"))) }
}
