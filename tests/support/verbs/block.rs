//! The lines below a line: a text, and what a story written from a recording says about it besides.
//!
//! Lines that begin with a backslash are no part of the text: `\\text "…"` is the whole text where it
//! cannot stand as it is, `\\table ["main","orders"]` and `\\column ["main","orders","id"]` (or
//! `\\no tables`) are what was verified instead of what the runner would find, `\\write "…"` is what a
//! write was rendered as, and `\\excerpt of 12, 5 bytes: …` a range of a document.

use super::super::Told;
use super::super::world::World;
use super::{document, quoted, split};
use dbeast::events::{Excerpt, VerifiedRead};
use dbeast::transcript::tell;
use dbeast::value::TableName;
use std::sync::Arc;

/// What stands below a line.
#[derive(Default)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) write: Option<String>,
    excerpt: Option<(u64, String)>,
    /// Whether the tables and columns are listed.
    is_listed: bool,
    tables: Vec<TableName>,
    columns: Vec<(TableName, String)>,
}

impl Block {
    pub(super) fn read(lines: &[String]) -> Told<Self> {
        let mut block = Self::default();
        let is_own = |line: &&String| line.starts_with('\\');
        let texts: Vec<&str> =
            lines.iter().filter(|line| !is_own(line)).map(String::as_str).collect();
        block.text = texts.join("\n");
        for line in lines.iter().filter(is_own) {
            block.take(line)?;
        }
        Ok(block)
    }

    fn take(&mut self, line: &str) -> Told<()> {
        let (kind, words) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "\\text" => self.text = quoted(words)?,
            "\\write" => self.write = Some(quoted(words)?),
            "\\no" if words == "tables" => self.is_listed = true,
            "\\table" => {
                let [schema, name] = names(words)?;
                self.tables.push(TableName { schema, name });
                self.is_listed = true;
            }
            "\\column" => {
                let [schema, name, column] = names(words)?;
                self.columns.push((TableName { schema, name }, column));
                self.is_listed = true;
            }
            "\\excerpt" => {
                let (size, text) = split(words.trim_start_matches("of "), ", ")?;
                let size = size.parse().map_err(|_| format!("`{size}` is no number"))?;
                self.excerpt = Some((size, text.to_owned()));
            }
            _ => return Err(format!("`{kind}` says nothing about a text")),
        }
        Ok(())
    }

    /// The text as a verified read. The runner stands in for the proof of the text: what is not listed
    /// are the tables that it names after FROM or JOIN (see the README).
    pub(super) fn verified(&self) -> Arc<VerifiedRead> {
        let tables =
            if self.is_listed { self.tables.clone() } else { tell::tables_named(&self.text) };
        let sql = Arc::from(&*self.text);
        Arc::new(VerifiedRead { sql, tables, columns: self.columns.clone() })
    }

    /// The columns of a write that are listed.
    pub(super) fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|(_, column)| column.clone()).collect()
    }

    /// The one table that is listed.
    pub(super) fn table(&self) -> Told<TableName> {
        self.tables.first().cloned().ok_or_else(|| "a table must be listed below".to_owned())
    }

    /// The range of a document, if it is told.
    pub(super) fn excerpt(&self, world: &mut World, from: u64) -> Told<Option<Excerpt>> {
        let Some((snapshot_bytes, words)) = &self.excerpt else { return Ok(None) };
        let text = document::text(world, words)?;
        Ok(Some(Excerpt { from, text, snapshot_bytes: *snapshot_bytes }))
    }
}

fn names<const N: usize>(words: &str) -> Told<[String; N]> {
    let names: Vec<String> =
        serde_json::from_str(words).map_err(|error| format!("`{words}`: {error}"))?;
    names.try_into().map_err(|_| format!("`{words}` should be {N} names"))
}
