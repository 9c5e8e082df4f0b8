//! `describe_table`: a request for the verified metadata of one table.

use super::super::answer::{Outcome, request_schema};
use super::super::call::{Call, Intent, digest, refused_table};
use super::super::input::{Key, SessionToken, Source, Table};
use super::{Effect, define};
use crate::events::{Operation, TextTool};
use crate::sql;
use crate::value::{Engine, TableName};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "describe_table";

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(skip_serializing)]
    session_token: SessionToken,
    source_id: Source,
    table: Table,
    #[serde(skip_serializing)]
    request_key: Key,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "Describe a table",
        "Verified columns, types and primary key of one table.",
        Effect::Reads,
        request_schema(),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let digest = digest(NAME, &input)?;
    let intent = Intent::new(digest, input.session_token, &input.request_key, &input.source_id);
    call.ask(intent, |engine| prove(input.table.to_name(), engine)).await
}

/// The person is asked only about a table that a verified read could name: a name that cannot be
/// seen as it is, or one of the database's own tables, is refused and shown in the activity list.
fn prove(table: TableName, engine: Engine) -> Operation {
    match sql::read_table(&table, &["column".to_owned()], 1, 0, engine) {
        Ok(_) => Operation::DescribeTable { table },
        Err(reason) => refused_table(TextTool::DescribeTable, &table, reason),
    }
}
