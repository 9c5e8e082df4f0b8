//! The arguments of the tools as types, each with its schema. The schema that an agent reads is the
//! one that `schema::check` enforces (contract, "Tools": explicit limits, server-side validation).

use super::schema::{BARE_NAME, BARE_WORDS, KEY_FORMAT, TOKEN};
use crate::ids::{ID_BYTES_MAX, RequestId, RequestKey, SourceId};
use crate::reducer::limits::{LABEL_CHARS_MAX, ROWS_MAX};
use crate::secret::{Secret, TokenHash};
use crate::value::TableName;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A schema, table or column name in characters. Ours: above every engine's own bound.
pub(super) const NAME_CHARS_MAX: usize = 256;
/// Columns of one `read_table` (contract, "Tools").
pub(super) const COLUMNS_MAX: usize = 64;
/// Rows of one `read_table` if the agent does not say.
pub(super) const ROWS_DEFAULT: u32 = 100;
/// Rows that `read_table` may skip (contract, "Tools").
pub(super) const OFFSET_MAX: u32 = 1_000_000;
/// SQL text in bytes (contract, "Limits").
pub(super) const SQL_BYTES_MAX: usize = 64 * 1024;

/// One argument that is a single JSON value, with the schema that stands for it.
macro_rules! argument {
    ($(#[$attribute:meta])* $name:ident($inner:ty), $schema:tt) => {
        $(#[$attribute])*
        #[derive(Deserialize, Serialize)]
        #[serde(transparent)]
        pub(super) struct $name($inner);

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

argument!(
    /// The secret that `begin_session` returned.
    SessionToken(String),
    { "type": "string", "pattern": TOKEN }
);
argument!(
    /// One intent of the agent.
    Key(String),
    { "type": "string", "format": KEY_FORMAT, "description": "Fresh UUID per intent" }
);
argument!(
    /// A source as `list_catalog` names it.
    Source(String),
    { "type": "string", "minLength": 1, "maxLength": ID_BYTES_MAX }
);
argument!(
    /// A request as its submission named it.
    Request(String),
    { "type": "string", "minLength": 1, "maxLength": ID_BYTES_MAX }
);
argument!(
    /// A schema, table or column, exactly as the database spells it.
    Name(String),
    { "type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX, "pattern": BARE_NAME }
);
argument!(
    /// The agent's own words for its session.
    Label(String),
    { "type": "string", "maxLength": LABEL_CHARS_MAX, "pattern": BARE_WORDS }
);
argument!(
    /// One statement.
    Sql(String),
    { "type": "string", "minLength": 1, "maxLength": SQL_BYTES_MAX }
);
argument!(
    /// Distinct columns in the order of the answer.
    Columns(Vec<Name>),
    {
        "type": "array",
        "minItems": 1,
        "maxItems": COLUMNS_MAX,
        "uniqueItems": true,
        "items": {
            "type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX, "pattern": BARE_NAME
        }
    }
);
argument!(
    /// How many rows.
    Limit(u32),
    { "type": "integer", "minimum": 1, "maximum": ROWS_MAX }
);
argument!(
    /// How many rows to skip.
    #[derive(Default)]
    Offset(u32),
    { "type": "integer", "minimum": 0, "maximum": OFFSET_MAX }
);

/// One table by its two names.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct Table {
    schema: Name,
    name: Name,
}

impl SessionToken {
    /// The token is needed only as its hash.
    pub(super) fn hash(self) -> TokenHash {
        crate::effects::ids::hash_token(Secret::new(self.0).reveal())
    }
}

impl Key {
    /// UUIDs are the same in any case.
    pub(super) fn canonical(&self) -> RequestKey {
        RequestKey::new(&self.0.to_ascii_lowercase())
    }
}

impl Source {
    pub(super) fn id(&self) -> SourceId {
        SourceId::new(&self.0)
    }
}

impl Request {
    pub(super) fn id(&self) -> RequestId {
        RequestId::new(&self.0)
    }
}

impl Table {
    pub(super) fn to_name(&self) -> TableName {
        TableName { schema: self.schema.0.clone(), name: self.name.0.clone() }
    }
}

impl Label {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Sql {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Columns {
    pub(super) fn to_names(&self) -> Vec<String> {
        self.0.iter().map(|name| name.0.clone()).collect()
    }
}

impl Limit {
    pub(super) const fn rows(&self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(ROWS_DEFAULT)
    }
}

impl Offset {
    pub(super) const fn rows(&self) -> u32 {
        self.0
    }
}
