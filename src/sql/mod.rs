//! The SQL proof: text and dialect become DBeast's own small typed statement, or a refusal with
//! a static reason.
//!
//! Start at [`verify`] and [`verify_table_write`]. The way of a text: [`lex`] reads its characters, [`opening`] looks at
//! its first word, [`parse`] lets the parser read the lexemes, [`convert`] turns the parser's
//! tree into a [`statement`] or a [`write`] that has no place for anything forbidden, [`resolve`] settles names,
//! [`render`] writes the text that runs. That text then goes the same way again and must give
//! the same statement. What never lives here: databases, grants, time, input or output.

mod convert;
mod diagnose;
mod expression;
mod function;
mod lex;
mod limits;
mod name;
mod opening;
mod parse;
mod read;
mod render;
mod resolve;
mod statement;
mod system;
#[cfg(test)]
mod tests;
mod trace;
mod write;

pub use limits::SQL_BYTES_MAX;
pub use read::read_table;
pub use trace::{Place, Refusal};

use crate::reason::SqlReason;
use crate::value::{Engine, TableName};
use lex::Lexeme;
use opening::Opens;
use resolve::{Needs, Resolved};
use trace::Trace;
use write::TableWrite;

/// A statement that can only read, and what it reads.
///
/// The database has the last word: the driver must still prove that every table is of a
/// supported kind, and it must pin what text cannot: name resolution to built-in objects only
/// (PostgreSQL: `search_path` of `pg_catalog`), and on MySQL an `sql_mode` without
/// `NO_BACKSLASH_ESCAPES`: MySQL 9.7 itself writes a literal of a derived table anew when it moves a
/// condition there, and under that mode reads it back as SQL. No default database may be set on MySQL
/// and MariaDB. Apart from that, the text means the same under every setting of
/// `standard_conforming_strings`, `ANSI_QUOTES`, `PIPES_AS_CONCAT` and `HIGH_NOT_PRECEDENCE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The normalised text, which is the only text that may run.
    pub sql: String,
    /// The physical tables it reads, sorted, without repetitions; spelled as in the text after
    /// the dialect's folding. Empty for a SELECT of constants. SQLite does not distinguish the
    /// letter case of these names.
    pub tables: Vec<TableName>,
    /// Columns that must be real columns of these tables, sorted, without repetitions. They are
    /// all `alias.name` columns, the columns of USING as far as their tables are certain, and the
    /// bare names too if there is exactly one table and the name is no output's name. With several
    /// tables a bare name belongs to one that only the database knows; no engine reads a bare name
    /// as a function call.
    pub columns: Vec<(TableName, String)>,
}

/// Proves that `text` only reads, or says why it cannot be proven.
///
/// # Errors
/// The reason for which the text has no verified statement.
pub fn verify(text: &str, dialect: Engine) -> Result<Verified, SqlReason> {
    explain(text, dialect).map_err(|refusal| refusal.reason)
}

/// A write of one table, as it runs where a standing level of that table allows it (contract,
/// "Resources and permissions": table levels).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedTableWrite {
    /// The normalised text, which is the only text that may run.
    pub sql: String,
    /// The table that changes, spelled as in the text after the dialect's folding.
    pub table: TableName,
    /// Columns that it must have, sorted, without repetitions.
    pub columns: Vec<(TableName, String)>,
    /// Whether it changes or deletes rows and nothing about a row decides whether it is touched: there is no
    /// WHERE, or none that names a column.
    pub touches_all_rows: bool,
}

/// Proves that `text` is one INSERT, UPDATE or DELETE of one table and touches no other relation, or says
/// why it cannot be proven.
///
/// # Errors
/// The reason for which the text is no such write.
pub fn verify_table_write(text: &str, dialect: Engine) -> Result<VerifiedTableWrite, SqlReason> {
    explain_table_write(text, dialect).map_err(|refusal| refusal.reason)
}

/// Whether a text is a verified read, and if not, where in it the reason lies. For people: agents get static
/// words only.
///
/// # Errors
/// The reason of [`verify`], with its place.
pub fn explain(text: &str, dialect: Engine) -> Result<Verified, Refusal> {
    let mut trace = Trace::default();
    let resolved = understand(text, dialect, &mut trace);
    resolved
        .and_then(|resolved| prove(resolved, dialect))
        .map_err(|reason| Refusal { reason, place: trace.place(text) })
}

/// The same for a write of one table.
///
/// # Errors
/// The reason of [`verify_table_write`], with its place.
pub fn explain_table_write(text: &str, dialect: Engine) -> Result<VerifiedTableWrite, Refusal> {
    let mut trace = Trace::default();
    let understood = understand_write(text, dialect, &mut trace);
    understood
        .and_then(|(write, needs)| prove_write(&write, needs, dialect))
        .map_err(|reason| Refusal { reason, place: trace.place(text) })
}

/// From text to a typed write with its names settled.
fn understand_write(
    text: &str,
    dialect: Engine,
    trace: &mut Trace,
) -> Result<(TableWrite, Needs), SqlReason> {
    let lexemes = lexemes(text, dialect, trace)?;
    let lexemes = opened(&lexemes, Opens::Write, trace)?;
    let parsed = parse::statement(lexemes, dialect);
    let statement = trace.parsed(parsed, lexemes, Opens::Write)?;
    let converted = convert::write(&statement, dialect);
    let write = trace.converted(converted, lexemes)?;
    trace.resolved(resolve::resolve_write(write, dialect), lexemes)
}

/// From text to a typed query with its names settled.
fn understand(text: &str, dialect: Engine, trace: &mut Trace) -> Result<Resolved, SqlReason> {
    let lexemes = lexemes(text, dialect, trace)?;
    let lexemes = opened(&lexemes, Opens::Read, trace)?;
    let parsed = parse::query(lexemes, dialect);
    let query = trace.parsed(parsed, lexemes, Opens::Read)?;
    let converted = convert::query(&query, dialect);
    let query = trace.converted(converted, lexemes)?;
    trace.resolved(resolve::resolve(query, dialect), lexemes)
}

fn lexemes(text: &str, dialect: Engine, trace: &mut Trace) -> Result<Vec<Lexeme>, SqlReason> {
    lex::read(text, dialect, &mut trace.offsets).inspect_err(|_| trace.blame_last())
}

fn opened<'a>(
    lexemes: &'a [Lexeme],
    kind: Opens,
    trace: &mut Trace,
) -> Result<&'a [Lexeme], SqlReason> {
    opening::one_statement(lexemes, kind).map_err(|(reason, number)| {
        trace.blamed = Some(number);
        reason
    })
}

/// Writes the text that runs and requires that it means exactly the same statement.
fn prove(resolved: Resolved, dialect: Engine) -> Result<Verified, SqlReason> {
    let sql = render::render(&resolved.query, dialect);
    if sql.len() > SQL_BYTES_MAX {
        return Err(SqlReason::TooLong);
    }
    match understand(&sql, dialect, &mut Trace::default()) {
        Ok(again) if again == resolved => {
            let Needs { tables, columns } = resolved.needs;
            Ok(Verified { sql, tables, columns })
        }
        Ok(_) | Err(_) => Err(SqlReason::NotReproducible),
    }
}

/// The same for a write.
fn prove_write(
    write: &TableWrite,
    needs: Needs,
    dialect: Engine,
) -> Result<VerifiedTableWrite, SqlReason> {
    let sql = render::render_write(write, dialect);
    if sql.len() > SQL_BYTES_MAX {
        return Err(SqlReason::TooLong);
    }
    match understand_write(&sql, dialect, &mut Trace::default()) {
        Ok((again, needs_again)) if (&again, &needs_again) == (write, &needs) => {}
        Ok(_) | Err(_) => return Err(SqlReason::NotReproducible),
    }
    let Needs { tables, columns } = needs;
    let [table] = <[TableName; 1]>::try_from(tables).map_err(|_| SqlReason::NotReproducible)?;
    Ok(VerifiedTableWrite { sql, table, columns, touches_all_rows: write.touches_all_rows() })
}
