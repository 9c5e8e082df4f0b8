//! Names as people write them.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{StatementNotSingle, TableUnknown};

pub(super) const CASES: &[Case] = &[
    accepted("a name with spaces", "CREATE TABLE \"my own table\" (\"a column\" int)")
        .of("s", "my own table"),
    accepted("a name with quotes", "CREATE TABLE \"a\"\"b'c\" (\"x\"\"y\" int)").of("s", "a\"b'c"),
    accepted("a name with dots", "CREATE TABLE \"s.t\" (\"a.b\" int)").of("s", "s.t"),
    accepted("a name with a backslash", "CREATE TABLE \"a\\b\" (a int)").of("s", "a\\b"),
    accepted("a name with a dollar and a percent sign", "CREATE TABLE \"$1%s{}\" (\"$1\" int)")
        .of("s", "$1%s{}"),
    accepted("a name with a line break", "CREATE TABLE \"a\nb\" (a int)").of("s", "a\nb"),
    accepted("a name that is a word of SQL", "CREATE TABLE \"select\" (\"from\" int)")
        .of("s", "select"),
    accepted("a name that would be SQL", "CREATE TABLE \"t; DROP TABLE u; --\" (a int)")
        .of("s", "t; DROP TABLE u; --"),
    accepted("a name with capitals", "CREATE TABLE \"Orders\" (\"Id\" int)").of("s", "Orders"),
    accepted(
        "a name of 63 bytes",
        "CREATE TABLE abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk (a int)",
    )
    .of("s", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"),
    refused(
        "a name of 64 bytes whose first 63 are a table",
        "CREATE TABLE abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk (a int)",
        &[TableUnknown],
    )
    .of("s", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"),
    accepted("a name of other letters", "CREATE TABLE \"данные_表_ñ\" (\"größe\" int)")
        .of("s", "данные_表_ñ"),
    accepted(
        "a name of 63 bytes in letters of three",
        "CREATE TABLE \"表表表表表表表表表表表表表表表表表表表表表\" (\"表\" int)",
    )
    .of("s", "表表表表表表表表表表表表表表表表表表表表表"),
    accepted("an emoji and a combining accent", "CREATE TABLE \"🐘e\u{301}\" (a int)")
        .of("s", "🐘e\u{301}"),
    refused(
        "the same letter composed otherwise",
        "CREATE TABLE \"e\u{301}\" (a int)",
        &[TableUnknown],
    )
    .of("s", "\u{e9}"),
    accepted(
        "a schema with a quote and a dot",
        "CREATE SCHEMA \"a\"\".b\"; CREATE TABLE \"a\"\".b\".t (a int)",
    )
    .of("a\".b", "t"),
    refused("a name with a NUL character", "", &[TableUnknown, StatementNotSingle]).of("s", "a\0b"),
    refused("an empty schema", "CREATE TABLE t (a int)", &[TableUnknown]).of("", "t"),
    accepted(
        "a view over names with quotes",
        "CREATE TABLE \"a\"\"b\" (\"c.d\" int); CREATE VIEW v AS SELECT \"c.d\" AS \"e\"\"f\" FROM \"a\"\"b\"",
    ),
];

#[test]
fn each_case_is_judged_rightly() {
    check("names", CASES);
}
