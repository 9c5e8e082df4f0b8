//! The text that runs means what the text that was sent means, on every engine, and touches only what was
//! verified: for statements by chance.

use super::chance::Maker;
use super::corpus::{Look, Statement};
use super::target;
use crate::servers::{Answer, Client, Failure};
use dbeast::reason::SqlReason;
use dbeast::sql::{Verified, verify};
use dbeast::value::Engine;

/// Statements to compare; `STATEMENTS=3000` for a long run, `SEED=7` for others. SQLite has no bound of time here,
/// so that a long run may meet a statement there that takes minutes.
const STATEMENTS: u64 = 500;

/// Both texts give the same, also where other settings hold for the text that runs.
pub(crate) fn check(dialect: Engine, setting: Option<&str>, mut look: Look) {
    let number = |name: &str| std::env::var_os(name)?.to_str()?.parse::<u64>().ok();
    let statements = number("STATEMENTS").unwrap_or(STATEMENTS);
    let seed = number("SEED").unwrap_or(1).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut maker = Maker::new(seed, dialect);
    let mut client = bounded(dialect);
    let mut other = setting.map(|setting| {
        let mut client = bounded(dialect);
        client.must(setting);
        client
    });
    let mut wrong = Vec::new();
    let (mut compared, mut refused, mut failed, mut with_rows) = (0, 0, 0, 0);
    while compared < statements && refused < 20 * statements {
        let text = maker.statement();
        let verified = match verify(&text, dialect) {
            Ok(verified) => verified,
            Err(reason) => {
                assert_ne!(reason, SqlReason::NotReproducible, "{text}");
                refused += 1;
                continue;
            }
        };
        let sent = ask(&mut *client, &text, &verified);
        let mut runs = vec![ask(&mut *client, &verified.sql, &verified)];
        runs.extend(other.as_mut().map(|other| ask(&mut **other, &verified.sql, &verified)));
        if runs.iter().chain([&sent]).any(is_too_slow) {
            continue;
        }
        compared += 1;
        if let Some(differs) = runs.iter().find(|runs| !is_same(&sent, runs)) {
            wrong.push(format!("{text}\n{}\n{sent:?}\n{differs:?}", verified.sql));
        }
        match &sent {
            Ok(answer) => {
                with_rows += u64::from(!answer.rows.is_empty());
                wrong.extend(look(&Statement::verified(&text, verified)));
            }
            Err(_) => failed += 1,
        }
    }
    println!(
        "{}: {compared} statements by chance compared, {with_rows} with rows, {failed} refused by the \
         engine; {refused} more were refused by the proof",
        dialect.word()
    );
    assert!(compared >= statements, "only {compared} statements were compared");
    assert!(with_rows * 3 > compared, "only {with_rows} of {compared} statements gave rows");
    let shown: Vec<&str> = wrong.iter().take(5).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), shown.join("\n\n"));
}

/// A connection on which no statement takes long: some join everything with everything.
fn bounded(dialect: Engine) -> Box<dyn Client> {
    let mut client = target::connect(dialect, "numbers");
    match dialect {
        Engine::Sqlite => {}
        Engine::Postgres => drop(client.must("SET statement_timeout = '2s'")),
        Engine::Mysql => drop(client.must("SET max_execution_time = 2000")),
        Engine::Mariadb => drop(client.must("SET max_statement_time = 2")),
    }
    client
}

/// Whether the bound ended it.
fn is_too_slow(outcome: &Result<Answer, Failure>) -> bool {
    outcome.as_ref().is_err_and(|failure| ["57014", "3024", "1969"].contains(&&*failure.code))
}

fn is_same(sent: &Result<Answer, Failure>, runs: &Result<Answer, Failure>) -> bool {
    match (sent, runs) {
        (Ok(sent), Ok(runs)) => sent.rows == runs.rows,
        (Err(sent), Err(runs)) => sent.code == runs.code,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

fn ask(client: &mut dyn Client, text: &str, verified: &Verified) -> Result<Answer, Failure> {
    let mut answer = client.ask(text)?;
    if !verified.sql.lines().any(|line| line.starts_with("ORDER BY ")) {
        answer.rows.sort();
    }
    Ok(answer)
}

/// Under `NO_BACKSLASH_ESCAPES`, MySQL reads a part of an accepted literal as SQL: it moves a condition into a
/// query of FROM by writing the output that it names as text, with `\'` for a quote whatever the mode, and
/// reading that again under the mode. So no driver may run a text under that mode, however the text is
/// quoted. (A subquery in such a literal ends the whole server.)
///
/// If this fails, MySQL has mended it.
pub(crate) fn check_no_backslash_escapes() {
    let text = "SELECT d.n FROM (SELECT DISTINCT coalesce(name, \
                'x'') = 1 OR get_lock(CHAR(100, 98), 0) -- ') AS n FROM shop.customers) AS d \
                WHERE d.n > 'B'";
    let verified = verify(text, Engine::Mysql).expect("a plain literal");
    let mut client = target::connect(Engine::Mysql, "numbers");
    let mut holder = |mode: &str| {
        client.must(&format!("SET sql_mode = '{mode}'"));
        client.must(&verified.sql);
        let found = client.must("SELECT is_used_lock('db') IS NOT NULL").rows;
        client.must("DO release_all_locks()");
        found[0][0].as_deref() == Some("1")
    };
    assert!(!holder("ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,IGNORE_SPACE"));
    assert!(!holder("STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY"));
    assert!(holder("NO_BACKSLASH_ESCAPES"), "the literal stays a literal now");
}
