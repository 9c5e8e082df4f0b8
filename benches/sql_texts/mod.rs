//! Statements of a given size: typical ones, and the worst that anybody could think of. Each says what
//! becomes of it, so that none is measured that ends early by accident.

use dbeast::sql::SQL_BYTES_MAX;
use dbeast::value::Engine;

/// Every dialect.
pub(crate) const DIALECTS: [Engine; 4] =
    [Engine::Sqlite, Engine::Postgres, Engine::Mysql, Engine::Mariadb];

/// What becomes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Accepted,
    /// Refused with this code.
    Refused(&'static str),
}
use Fate::{Accepted, Refused};

/// One text.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) fate: Fate,
}

/// A schema that the dialect can name.
const fn schema(dialect: Engine) -> &'static str {
    match dialect {
        Engine::Sqlite => "main",
        Engine::Postgres | Engine::Mysql | Engine::Mariadb => "shop",
    }
}

/// A report as people write them, of about 1 KiB: WITH, joins, a subquery, a group.
pub(crate) fn typical(dialect: Engine) -> String {
    with_condition(dialect, "u.country <> 'XX'")
}

fn with_condition(dialect: Engine, condition: &str) -> String {
    let schema = schema(dialect);
    format!(
        "WITH recent AS (
  SELECT o.id, o.user_id, o.total, o.status
  FROM {schema}.orders AS o
  WHERE o.created_at >= '2024-01-01' AND o.status IN ('paid', 'sent', 'done')
), totals AS (
  SELECT r.user_id, count(*) AS orders, sum(r.total) AS spent, max(r.id) AS last_id
  FROM recent AS r
  GROUP BY r.user_id
  HAVING sum(r.total) > 100
)
SELECT u.id, u.name, u.created_at, lower(u.email) AS email, c.name AS country, t.orders, t.spent,
  CASE WHEN t.spent > 10000 THEN 'gold' WHEN t.spent > 1000 THEN 'silver' ELSE 'none' END AS level,
  (SELECT max(p.paid_at) FROM {schema}.payments AS p WHERE p.user_id = u.id) AS last_paid
FROM {schema}.users AS u
INNER JOIN totals AS t ON t.user_id = u.id
LEFT JOIN {schema}.countries AS c ON c.code = u.country
WHERE u.active = TRUE AND (u.name LIKE 'A%' OR u.vip IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM {schema}.bans AS b WHERE b.user_id = u.id)
  AND u.created_at < '2025-01-01' AND u.last_seen_at BETWEEN '2024-06-01' AND '2024-12-31'
  AND {condition}
ORDER BY t.spent DESC, u.name
LIMIT 50 OFFSET 100"
    )
}

/// The same with long lists of identifiers: about 64 KiB, which only lists and strings can fill.
pub(crate) fn typical_long(dialect: Engine) -> String {
    let lists = ["u.uuid", "u.group_uuid"].map(|column| {
        let items = (0..780).map(|item| format!("'{item:08x}-0000-4000-8000-{item:012x}'"));
        format!("{column} IN ({})", items.collect::<Vec<_>>().join(", "))
    });
    with_condition(dialect, &lists.join("\n  AND "))
}

/// The worst texts, each as near to a bound as it can be.
pub(crate) fn worst(dialect: Engine) -> Vec<Case> {
    let all = [lists(dialect), deep(dialect), wide(dialect), late(dialect)];
    all.into_iter().flatten().map(|(name, text, fate)| Case { name, text, fate }).collect()
}

type Row = (&'static str, String, Fate);

/// `part` so often, with a comma between.
fn listed(times: usize, part: impl Fn(usize) -> String) -> String {
    (0..times).map(part).collect::<Vec<_>>().join(", ")
}

fn lists(dialect: Engine) -> Vec<Row> {
    let from = format!("FROM {}.t AS t", schema(dialect));
    let numbers = listed(990, |item| format!("{item:030}"));
    let strings = listed(7, |item| format!("'{}'", format!("{item}''").repeat(2_700)));
    let pattern = "_%".repeat(500);
    let branches: Vec<_> = (0..30).map(|at| format!(" WHEN {at} THEN {at}")).collect();
    let case = format!("CASE t.a{} END", branches.concat());
    vec![
        (
            "two IN lists of numbers",
            format!("SELECT 1 {from} WHERE t.a IN ({numbers}) OR t.b IN ({numbers})"),
            Accepted,
        ),
        (
            "a chain of OR",
            format!("SELECT 1 {from} WHERE t.a = 1{}", " OR t.a = 2".repeat(398)),
            Accepted,
        ),
        (
            "a chain of quoted OR",
            format!("SELECT 1 {from} WHERE 'a'{}", " OR 'abcdefghijklm'".repeat(1_900)),
            Accepted,
        ),
        ("huge strings", format!("SELECT {strings}"), Accepted),
        (
            "long patterns",
            format!("SELECT 1 {from} WHERE t.a{}", format!(" LIKE '{pattern}' OR t.a").repeat(4)),
            Accepted,
        ),
        (
            "CASE with many branches",
            format!("SELECT {} {from}", listed(28, |_| case.clone())),
            Accepted,
        ),
        ("nothing but comments", format!("SELECT 1{}", "/**/ -- \n".repeat(7_200)), Accepted),
    ]
}

fn deep(dialect: Engine) -> Vec<Row> {
    let schema = schema(dialect);
    let calls = format!("{}1{}", "abs(".repeat(31), ")".repeat(31));
    let groups = format!("{}1{}", "(".repeat(48), ")".repeat(48));
    let nots = format!("{}1", "NOT ".repeat(31));
    let queries = (0..7).fold(format!("SELECT t.a FROM {schema}.t AS t"), |inner, level| {
        format!("SELECT d{level}.a FROM ({inner}) AS d{level}")
    });
    let values = (0..7).fold("SELECT 1".to_owned(), |inner, _| format!("SELECT ({inner})"));
    // Each looks for its columns in all of those around it.
    let correlated = (0..6).fold("1".to_owned(), |inner, level| {
        let columns = listed(140, |_| "a0.x".to_owned());
        let level = 6 - level;
        format!("EXISTS (SELECT 1 FROM {schema}.t AS a{level} WHERE 1 IN ({columns}) AND {inner})")
    });
    let correlated = format!("SELECT 1 FROM {schema}.t AS a0 WHERE {correlated}");
    vec![
        ("deep calls", format!("SELECT {}", listed(60, |_| calls.clone())), Accepted),
        ("deep parentheses", format!("SELECT {}", listed(120, |_| groups.clone())), Accepted),
        ("deep NOT", format!("SELECT {}", listed(60, |_| nots.clone())), Accepted),
        ("queries in FROM, 8 deep", queries, Accepted),
        (
            "queries as values, 8 deep",
            format!("SELECT {}", listed(80, |_| format!("({values})"))),
            Refused("too_deep"),
        ),
        (
            "queries as values, 7 deep",
            {
                let values =
                    (0..6).fold("SELECT 1".to_owned(), |inner, _| format!("SELECT ({inner})"));
                format!("SELECT {}", listed(80, |_| format!("({values})")))
            },
            Accepted,
        ),
        ("correlated queries", correlated, Accepted),
    ]
}

fn wide(dialect: Engine) -> Vec<Row> {
    let schema = schema(dialect);
    let name = |at: usize| format!("{at:04}{}", "n".repeat(20));
    let quote = if matches!(dialect, Engine::Mysql | Engine::Mariadb) { '`' } else { '"' };
    let quoted = |at: usize| format!("{quote}{}{quote}", name(at));
    let tables = listed(32, |at| format!("{schema}.t{} AS {}", at % 16, quoted(at)));
    let of_last = |items: usize| {
        let columns = (0..items).map(|item| format!("{}.{}", quoted(31), quoted(item)));
        columns.collect::<Vec<_>>().join(", ")
    };
    let arm = format!("SELECT {}", listed(61, |at| format!("{at:024}")));
    let stars = vec!["*"; 200].join(", ");
    let common = |level: usize, outputs: &str| match level {
        0 => format!("c0 AS (SELECT {})", listed(250, |at| format!("1 AS {}", quoted(at)))),
        _ => format!("c{level} AS (SELECT {outputs} FROM c{} AS p)", level - 1),
    };
    let chain = listed(16, |level| common(level, "*"));
    let starred = listed(8, |level| common(level, &stars));
    let doubled = listed(10, |level| match level {
        0 => common(0, ""),
        _ => format!("c{level} AS (SELECT * FROM c{0} AS p{level}, c{0} AS q{level})", level - 1),
    });
    vec![
        (
            "32 aliases and 1,000 columns",
            format!("SELECT 1 FROM {tables} WHERE 1 IN ({})", of_last(1_000)),
            Accepted,
        ),
        ("32 arms of 61 outputs", vec![arm; 32].join(" UNION "), Accepted),
        (
            "32 arms of 50 wildcards",
            vec![format!("SELECT {} FROM {schema}.t AS t", vec!["*"; 50].join(", ")); 32]
                .join(" UNION ALL "),
            Refused("wildcard"),
        ),
        ("a chain of WITH", format!("WITH {chain} SELECT * FROM c15 AS x"), Accepted),
        (
            "wildcards of wildcards",
            format!("WITH {starred} SELECT 1 FROM c7 AS x"),
            Refused("wildcard"),
        ),
        ("relations doubled", format!("WITH {doubled} SELECT 1 FROM c9 AS x"), Accepted),
        (
            "many queries of WITH",
            format!(
                "WITH {} SELECT 1",
                listed(31, |at| format!("c{at} AS (SELECT {})", listed(60, |_| "1".to_owned())))
            ),
            Accepted,
        ),
    ]
}

/// What is refused only at the end.
fn late(dialect: Engine) -> Vec<Row> {
    let long = typical_long(dialect);
    vec![
        ("refused at the end, by the parser", format!("{long} WINDOW"), Refused("window")),
        ("refused at the end, unfinished", format!("{long}, ("), Refused("syntax")),
        (
            "refused at the end, unknown alias",
            long.replacen("ORDER BY t.spent", "ORDER BY nobody.spent", 1),
            Refused("unknown_alias"),
        ),
        ("one byte too many", " ".repeat(SQL_BYTES_MAX + 1), Refused("too_long")),
        ("too many words", "SELECT 1 + ".repeat(5_900), Refused("too_many_tokens")),
        ("too many commas", format!("SELECT {}", "1,".repeat(12_000)), Refused("too_many_tokens")),
        (
            "a string without end",
            format!("SELECT '{}", "a".repeat(65_000)),
            Refused("unterminated"),
        ),
    ]
}
