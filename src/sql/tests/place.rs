//! Where a refusal lies: at the part that would have to change.

use crate::sql::{Place, explain, explain_table_write};
use crate::value::Engine;

/// A text with a mark before the place that is to blame.
fn assert_place(marked: &str, is_write: bool) {
    let (before, after) = marked.split_once('^').expect("a mark");
    let text = format!("{before}{after}");
    let refusal = if is_write {
        explain_table_write(&text, Engine::Postgres).err()
    } else {
        explain(&text, Engine::Postgres).err()
    };
    let place = refusal.expect("a refusal").place;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    assert_eq!(place, Some(Place { line, column }), "{marked}: {refusal:?}");
}

#[test]
fn a_refusal_lies_where_the_text_would_have_to_change() {
    for marked in [
        "SELECT 'é', ^now() FROM public.t",
        "SELECT a,\n  ^$1 FROM public.t",
        "SELECT a FROM public.t; ^DELETE FROM public.t",
        "^UPDATE public.t SET a = 1",
        "(^VALUES (1))",
        "SELECT a FROM ^t",
        "SELECT a FROM public.t WHERE a IN (SELECT b FROM ^c)",
        "SELECT a FROM public.t WHERE EXISTS (SELECT ^pg_sleep(1))",
        "WITH c AS (SELECT count(*) FROM public.t) SELECT ^c.count FROM c",
        "SELECT a FROM public.t AS x WHERE x.a = 1 AND ^y.a = 2",
        "SELECT a FROM public.t FOR ^UPDATE",
        "SELECT a FROM public.t WHERE a = 1 ^COLLATE \"C\"",
        "SELECT a FROM public.t WHERE a IN (SELECT ^CAST(b AS int) FROM public.u)",
        "SELECT a b ^c FROM public.t",
        "SELECT ^'never ends",
    ] {
        assert_place(marked, false);
    }
    assert_place("UPDATE public.t SET a = ^random()", true);
    assert_place("UPDATE public.t SET a = 1 WHERE b = ^u.b", true);
    assert_place("^SELECT a FROM public.t", true);
}

#[test]
fn what_is_as_a_whole_too_much_has_no_place() {
    let text = format!("SELECT 1{}", " ".repeat(crate::sql::SQL_BYTES_MAX));
    assert_eq!(explain(&text, Engine::Sqlite).err().map(|refusal| refusal.place), Some(None));
}
