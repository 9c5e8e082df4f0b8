//! `request_sql`: a request for one statement of any kind, in the agent's own words (Full SQL). It is never a
//! continuation of `query_sql`: the agent asks for it by name, and the person decides about exactly this text.

use super::super::answer::{Outcome, request_schema};
use super::super::call::{Call, Intent, digest};
use super::super::input::{Key, SQL_BYTES_MAX, SessionToken, Source, Sql};
use super::super::problem::ToolError;
use super::{Effect, define};
use crate::events::{Operation, VerifiedWrite};
use crate::sql;
use crate::value::Engine;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const NAME: &str = "request_sql";

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(skip_serializing)]
    session_token: SessionToken,
    source_id: Source,
    sql: Sql,
    #[serde(skip_serializing)]
    request_key: Key,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "Request Full SQL",
        "One statement of any kind, run exactly as written with the source's account; it may change data. No access \
         for reading ever covers it: a person approves it, unless they set read_write. Use query_sql for everything that only reads. One INSERT, UPDATE or DELETE of \
         a schema.table with access read_write runs without a question, as DBeast writes it again. \
         After outcome_unknown never send it again.",
        Effect::Writes,
        request_schema(),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let text = input.sql.as_str();
    if text.len() > SQL_BYTES_MAX {
        return Err(ToolError::invalid("sql", "is too long", "at most 65536 bytes"));
    }
    // A database would end the text there, while the person reads on.
    if text.contains('\0') {
        return Err(ToolError::invalid("sql", "has the wrong form", "a text without NUL"));
    }
    if text.trim().is_empty() {
        return Err(ToolError::invalid("sql", "holds no statement", "one statement"));
    }
    let digest = digest(NAME, &input)?;
    let intent = Intent::new(digest, input.session_token, &input.request_key, &input.source_id);
    call.ask(intent, |engine| prove(text, engine)).await
}

/// The text stays as it is. Whether it is a write of one table besides is found out here, and whether it runs as
/// one is decided by the reducer.
fn prove(text: &str, engine: Engine) -> Operation {
    let write = sql::verify_table_write(text, engine).ok().map(|verified| {
        let sql::VerifiedTableWrite { sql, table, columns, touches_all_rows } = verified;
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Arc::new(VerifiedWrite { sql: sql.into(), table, columns, touches_all_rows })
    });
    Operation::RequestSql { sql: text.into(), write }
}
