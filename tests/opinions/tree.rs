//! One text as PostgreSQL's parser reads it, walked part by part.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What the parser sees.
#[derive(Default)]
pub(crate) struct Tree {
    /// The kind of the one statement.
    pub(crate) statement: String,
    /// Physical tables, as `schema.name`.
    pub(crate) tables: BTreeSet<String>,
    /// What no text of ours may have.
    pub(crate) objections: Vec<String>,
    /// The kinds of its nodes, and the fields that are filled.
    pub(crate) parts: BTreeSet<String>,
}

/// Each kind of node that there may be, with the fields that may be filled. Anything else is objected to.
const KINDS: [(&str, &[&str]); 38] = [
    (
        "SelectStmt",
        &[
            "distinct_clause",
            "target_list",
            "from_clause",
            "where_clause",
            "group_clause",
            "having_clause",
            "values_lists",
            "sort_clause",
            "limit_offset",
            "limit_count",
            "limit_option",
            "with_clause",
            "op",
            "all",
            "larg",
            "rarg",
        ],
    ),
    ("InsertStmt", &["relation", "cols", "select_stmt", "override"]),
    ("UpdateStmt", &["relation", "target_list", "where_clause"]),
    ("DeleteStmt", &["relation", "where_clause"]),
    ("WithClause", &["ctes"]),
    ("CommonTableExpr", &["ctename", "aliascolnames", "ctematerialized", "ctequery"]),
    ("RangeVar", &["schemaname", "relname", "inh", "relpersistence", "alias"]),
    ("RangeSubselect", &["subquery", "alias"]),
    ("JoinExpr", &["jointype", "larg", "rarg", "using_clause", "quals"]),
    ("Alias", &["aliasname"]),
    ("ResTarget", &["name", "val"]),
    ("SortBy", &["node", "sortby_dir", "sortby_nulls"]),
    ("ColumnRef", &["fields"]),
    ("AStar", &[]),
    ("AExpr", &["kind", "name", "lexpr", "rexpr", "rexpr_list_start", "rexpr_list_end"]),
    ("BoolExpr", &["boolop", "args"]),
    ("NullTest", &["arg", "nulltesttype"]),
    ("BooleanTest", &["arg", "booltesttype"]),
    ("CaseExpr", &["arg", "args", "defresult"]),
    ("CaseWhen", &["expr", "result"]),
    ("CoalesceExpr", &["args"]),
    ("FuncCall", &["funcname", "args", "agg_star", "agg_distinct", "funcformat"]),
    ("SubLink", &["sub_link_type", "testexpr", "subselect"]),
    ("List", &["items"]),
    ("SetToDefault", &[]),
    ("AConst", &["val", "isnull"]),
    ("Ival", &["ival"]),
    ("Fval", &["fval"]),
    ("Boolval", &["boolval"]),
    ("Sval", &["sval"]),
    ("String", &["sval"]),
    ("Integer", &["ival"]),
    ("Float", &["fval"]),
    ("Boolean", &["boolval"]),
    // Fields that hold one kind only.
    ("relation", &[]),
    ("with_clause", &[]),
    ("alias", &[]),
    ("larg", &[]),
];

/// Built-in functions that a text may call; the parser has kinds of their own for the others.
const FUNCTIONS: [&str; 12] = [
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "abs",
    "lower",
    "upper",
    "length",
    "char_length",
    "octet_length",
    "round",
];

/// What the grammar calls the operators of a text.
const OPERATORS: [&str; 18] = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "||",
    "~~",
    "!~~",
    "BETWEEN",
    "NOT BETWEEN",
    "",
    "like_escape",
];

impl Tree {
    /// Reads a text, which must be one statement.
    pub(crate) fn of(sql: &str) -> Result<Self, String> {
        let read = pg_query::parse(sql, 0).map_err(|error| error.to_string())?;
        let whole = serde_json::to_value(&read.protobuf).map_err(|error| error.to_string())?;
        let statements = whole["stmts"].as_array().cloned().unwrap_or_default();
        let [statement] = statements.as_slice() else {
            return Err(format!("{} statements", statements.len()));
        };
        let mut tree = Self::default();
        let (kind, _) = node(&statement["stmt"]).ok_or("no statement")?;
        kind.clone_into(&mut tree.statement);
        tree.value(&statement["stmt"], "stmt", &[]);
        Ok(tree)
    }

    fn object(&mut self, objection: String) {
        self.objections.push(objection);
    }

    /// Everything in the value of a field.
    fn value(&mut self, value: &Value, field: &str, commons: &[String]) {
        if let Some(items) = value.as_array() {
            items.iter().for_each(|item| self.value(item, field, commons));
        } else if let Some((kind, fields)) = node(value) {
            self.node(kind, fields, commons);
        } else if let Some(fields) = value.as_object() {
            match field {
                "relation" => self.node("RangeVar", fields, commons),
                "with_clause" => self.node("WithClause", fields, commons),
                "alias" => self.node("Alias", fields, commons),
                "larg" | "rarg" => self.node("SelectStmt", fields, commons),
                // The empty item of a plain DISTINCT.
                "distinct_clause" => {}
                other => self.object(format!("{other} is something else")),
            }
        }
    }

    fn node(&mut self, kind: &str, fields: &Map<String, Value>, commons: &[String]) {
        self.parts.insert(kind.to_owned());
        let known = KINDS.iter().find(|(known, _)| *known == kind);
        if known.is_none() {
            self.object(format!("has a {kind}"));
        }
        for (field, value) in fields {
            let is_place = field.contains("location") || value.is_null();
            if is_place || is_empty(value) {
                continue;
            }
            self.parts.insert(field.clone());
            if known.is_some_and(|(_, fields)| !fields.contains(&field.as_str())) {
                self.object(format!("{kind} has {field}"));
            }
        }
        self.details(kind, fields, commons);
        // The queries of WITH see those before them, the rest sees all.
        let mut commons = commons.to_vec();
        for common in at(fields, "with_clause")["ctes"].as_array().into_iter().flatten() {
            let Some((_, common)) = node(common) else { continue };
            self.node("CommonTableExpr", common, &commons);
            commons.push(at(common, "ctename").as_str().unwrap_or_default().to_owned());
        }
        if let Some(with) = fields.get("with_clause").filter(|with| !with.is_null()) {
            self.parts.insert("WithClause".to_owned());
            if with["recursive"] != false {
                self.parts.insert("recursive".to_owned());
                self.object("WITH is recursive".to_owned());
            }
        }
        for (field, value) in fields.iter().filter(|(field, _)| *field != "with_clause") {
            self.value(value, field, &commons);
        }
    }

    /// What the fields of one kind must say.
    fn details(&mut self, kind: &str, fields: &Map<String, Value>, commons: &[String]) {
        match kind {
            "RangeVar" => self.table(fields, commons),
            "FuncCall" => {
                let name = words(at(fields, "funcname"));
                // LIKE with ESCAPE is a call of a built-in one in the parser's tree.
                let is_escape = name == "pg_catalog.like_escape";
                if !FUNCTIONS.contains(&name.as_str()) && !is_escape {
                    self.object(format!("calls {name}"));
                }
            }
            "AExpr" => {
                let name = words(at(fields, "name"));
                // NULLIF, IN, LIKE and BETWEEN have kinds of their own; ANY, ALL, ILIKE do not come.
                let is_known = [1, 6, 7, 8, 11, 12].iter().any(|kind| at(fields, "kind") == *kind);
                if !OPERATORS.contains(&name.as_str()) || !is_known {
                    self.object(format!("operator {name} of kind {}", at(fields, "kind")));
                }
            }
            "SubLink" => {
                if ![1, 3, 5].iter().any(|kind| at(fields, "sub_link_type") == *kind) {
                    self.object(format!("query of kind {}", at(fields, "sub_link_type")));
                }
                if !is_empty(at(fields, "oper_name")) {
                    self.object(format!("operator {} of a query", words(at(fields, "oper_name"))));
                }
            }
            "SelectStmt" => {
                let distinct = at(fields, "distinct_clause").as_array();
                if distinct.into_iter().flatten().any(|item| node(item).is_some()) {
                    self.object("distinct_clause has columns".to_owned());
                }
                if !is_empty(at(fields, "values_lists")) && self.statement != "InsertStmt" {
                    self.object("VALUES outside INSERT".to_owned());
                }
                if at(fields, "limit_option") == 3 {
                    self.object("WITH TIES".to_owned());
                }
            }
            "CommonTableExpr" if at(fields, "ctematerialized") != 1 => {
                self.object("MATERIALIZED".to_owned());
            }
            "InsertStmt" if at(fields, "override") != 1 => self.object("OVERRIDING".to_owned()),
            _ => {}
        }
    }

    /// A table with a schema, or a query of WITH without.
    fn table(&mut self, fields: &Map<String, Value>, commons: &[String]) {
        let text = |field: &str| at(fields, field).as_str().unwrap_or_default();
        if at(fields, "inh") != true || text("relpersistence") != "p" {
            self.object("inh or relpersistence is unusual".to_owned());
        }
        let name = text("relname");
        if !text("schemaname").is_empty() {
            self.tables.insert(format!("{}.{name}", text("schemaname")));
        } else if !commons.iter().any(|common| common == name) {
            self.object(format!("reads {name}"));
        }
    }
}

/// The kind and the fields of a node.
fn node(value: &Value) -> Option<(&str, &Map<String, Value>)> {
    // A constant names its kind in the same way, one level higher.
    let named = value.get("node").unwrap_or(value).as_object()?;
    let (kind, fields) = named.iter().next().filter(|_| named.len() == 1)?;
    let is_kind = kind.starts_with(|letter: char| letter.is_ascii_uppercase());
    fields.as_object().filter(|_| is_kind).map(|fields| (kind.as_str(), fields))
}

/// The value of a field, null if it is not there.
fn at<'a>(fields: &'a Map<String, Value>, field: &str) -> &'a Value {
    fields.get(field).unwrap_or(&Value::Null)
}

/// The parts of a name, with periods.
fn words(list: &Value) -> String {
    let parts = list.as_array().into_iter().flatten().filter_map(node);
    let parts = parts.map(|(_, fields)| at(fields, "sval").as_str().unwrap_or("?"));
    parts.collect::<Vec<_>>().join(".")
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}
