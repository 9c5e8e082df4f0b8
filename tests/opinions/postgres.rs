//! What PostgreSQL's own parser sees in each text that the SQL proof lets run: one statement, made of
//! known parts only, of the tables and functions that the proof says.
//!
//! The tree is walked as plain data, so that no part of it is overlooked: every kind of node and every
//! filled field must be one that is listed here.

mod tree;

use dbeast::reason::SqlReason;
use dbeast::sql::{verify, verify_table_write};
use dbeast::value::{Engine, TableName};
use serde_json::Value;
use std::path::Path;
use tree::Tree;

/// The lines of one file of the corpus.
fn lines(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sql/postgres").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn field<'line>(line: &'line Value, name: &str) -> &'line str {
    line.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("no {name} in {line}"))
}

fn written(tables: &[TableName]) -> Vec<String> {
    tables.iter().map(|table| format!("{}.{}", table.schema, table.name)).collect()
}

/// What is wrong with a text that runs, if anything is.
fn objections(sql: &str, kinds: &[&str], tables: &[TableName]) -> Vec<String> {
    let tree = match Tree::of(sql) {
        Ok(tree) => tree,
        Err(error) => return vec![error],
    };
    let mut found = tree.objections;
    if !kinds.contains(&tree.statement.as_str()) {
        found.push(format!("is a {}", tree.statement));
    }
    let tables = written(tables);
    if tree.tables.iter().ne(&tables) {
        found.push(format!("names {:?} and not {tables:?}", tree.tables));
    }
    found
}

#[test]
fn accepted_reads_are_plain_selects_of_their_tables() {
    let lines = lines("accept.jsonl");
    assert!(lines.len() >= 80, "too few statements");
    let mut wrong = Vec::new();
    for line in &lines {
        let verified = verify(field(line, "sql"), Engine::Postgres)
            .unwrap_or_else(|reason| panic!("{line}: {}", reason.code()));
        let found = objections(&verified.sql, &["SelectStmt"], &verified.tables);
        wrong.extend(found.iter().map(|found| format!("{}: {found}", field(line, "id"))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn accepted_writes_are_plain_writes_of_their_table() {
    let lines = lines("write_accept.jsonl");
    assert!(lines.len() >= 8, "too few statements");
    let mut wrong = Vec::new();
    for line in &lines {
        let verified = verify_table_write(field(line, "sql"), Engine::Postgres)
            .unwrap_or_else(|reason| panic!("{line}: {}", reason.code()));
        let kinds = ["InsertStmt", "UpdateStmt", "DeleteStmt"];
        let found = objections(&verified.sql, &kinds, std::slice::from_ref(&verified.table));
        wrong.extend(found.iter().map(|found| format!("{}: {found}", field(line, "id"))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reasons that name a construct, and what PostgreSQL's parser calls it: each refusal for one of
/// them is of a text that has it.
const CONSTRUCTS: [(SqlReason, &[&str]); 10] = [
    (SqlReason::RowLock, &["LockingClause"]),
    (SqlReason::Into, &["into_clause"]),
    (SqlReason::Window, &["over", "WindowDef"]),
    (SqlReason::Cast, &["TypeCast", "FuncCall"]),
    (SqlReason::Collation, &["CollateClause", "coll_clause"]),
    (SqlReason::Lateral, &["lateral"]),
    (SqlReason::RecursiveCommonTable, &["recursive"]),
    (SqlReason::GroupingSets, &["GroupingSet", "GroupingFunc"]),
    // PostgreSQL reads system_user as a call.
    (SqlReason::ValueFunction, &["SqlvalueFunction", "FuncCall"]),
    (SqlReason::NaturalJoin, &["is_natural"]),
];

#[test]
fn what_is_refused_for_a_construct_has_it() {
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for line in &lines("refuse.jsonl") {
        let reason = field(line, "reason");
        let named = CONSTRUCTS.iter().find(|(known, _)| known.code() == reason);
        let (Some((_, parts)), Ok(tree)) = (named, Tree::of(field(line, "sql"))) else { continue };
        looked_at += 1;
        if !parts.iter().any(|part| tree.parts.contains(*part)) {
            wrong.push(format!("{}: no {parts:?} in {:?}", field(line, "id"), tree.parts));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("say: {looked_at} refusals name what PostgreSQL's parser sees as well");
    assert!(looked_at >= 30, "only {looked_at} were looked at");
}

#[test]
fn the_walk_itself_objects() {
    for (sql, objection) in [
        ("SELECT pg_sleep(1)", "calls pg_sleep"),
        ("SELECT pg_catalog.count(*) FROM public.t", "calls pg_catalog.count"),
        ("SELECT count(*) OVER () FROM public.t", "over"),
        ("SELECT 1 FROM public.t FOR UPDATE", "LockingClause"),
        ("SELECT 1 INTO x FROM public.t", "into_clause"),
        ("SELECT 1 FROM t", "reads t"),
        ("WITH a AS (SELECT 1 FROM b), b AS (SELECT 1) SELECT 1 FROM a", "reads b"),
        ("SELECT 1 FROM ONLY public.t", "inh"),
        ("SELECT 1 FROM public.t, LATERAL (SELECT 1) AS q", "lateral"),
        ("WITH RECURSIVE a AS (SELECT 1) SELECT 1 FROM a", "recursive"),
        ("SELECT a::text FROM public.t", "TypeCast"),
        ("SELECT a ~ 'x' FROM public.t", "operator ~"),
        ("SELECT a OPERATOR(public.=) 1 FROM public.t", "operator public.="),
        ("SELECT 1 = ANY (SELECT 1)", "operator = of a query"),
        ("SELECT ARRAY(SELECT 1)", "query of kind"),
        ("SELECT (t).a FROM public.t", "AIndirection"),
        ("SELECT count(*) FILTER (WHERE true)", "agg_filter"),
        ("DELETE FROM public.t RETURNING 1", "returning"),
        ("DELETE FROM public.t USING public.u", "using_clause"),
        ("INSERT INTO public.t (a) VALUES (1) ON CONFLICT DO NOTHING", "on_conflict_clause"),
        ("UPDATE public.t SET a[1] = 1", "indirection"),
        ("SELECT DISTINCT ON (a) a FROM public.t", "distinct_clause"),
        ("SELECT 1; SELECT 2", "2 statements"),
    ] {
        let told = Tree::of(sql).map_or_else(|error| error, |tree| tree.objections.join("; "));
        assert!(told.contains(objection), "{sql}: {told}");
    }
}
