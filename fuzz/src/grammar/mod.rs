//! Statements made from bytes, each with the truth about it.
//!
//! The bytes decide every choice; when they are used up, the simplest choice is taken, so that every
//! statement ends. The first bytes say whether one forbidden part is put in, at the first place that
//! can hold it. Rules stand here a second time on purpose: this is an independent opinion.

mod choice;
mod expression;
mod forbidden;
mod name;
mod query;
mod write;

use choice::Choices;
use dbeast::value::{Engine, TableName};
use forbidden::Place;
use std::collections::BTreeSet;

/// A statement and what is true of it.
#[derive(Debug)]
pub struct Made {
    /// The statement.
    pub text: String,
    /// Its dialect.
    pub dialect: Engine,
    /// What it is.
    pub kind: Kind,
    /// Its tables, sorted, without repetitions.
    pub tables: Vec<TableName>,
    /// Some of the columns that its tables must have.
    pub columns: Vec<(TableName, String)>,
    /// The part for which it must be refused.
    pub forbidden: Option<&'static str>,
}

/// Whether a statement reads or writes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A query.
    Read,
    /// An INSERT, UPDATE or DELETE.
    Write {
        /// Whether no column decides which rows are touched.
        touches_all_rows: bool,
    },
}

/// Makes a statement.
#[must_use]
pub fn make(bytes: &[u8]) -> Made {
    let mut choices = Choices::new(bytes);
    let dialect = crate::DIALECTS[choices.below(4)];
    let is_write = choices.below(5) == 1;
    let planned = forbidden::plan(&mut choices, dialect, is_write);
    let spelling = choices.below(8);
    let mut maker = Maker {
        choices,
        dialect,
        words: Vec::new(),
        tables: BTreeSet::new(),
        columns: BTreeSet::new(),
        scopes: Vec::new(),
        commons: Vec::new(),
        names: 0,
        depth: 0,
        is_write,
        planned,
        forbidden: None,
        names_a_column: false,
    };
    let kind = if is_write {
        Kind::Write { touches_all_rows: maker.write() }
    } else {
        maker.statement();
        Kind::Read
    };
    let text = joined(&maker.words, spelling, maker.choices);
    Made {
        text,
        dialect,
        kind,
        tables: maker.tables.into_iter().collect(),
        columns: maker.columns.into_iter().collect(),
        forbidden: maker.forbidden,
    }
}

/// What is being made.
struct Maker<'a> {
    choices: Choices<'a>,
    dialect: Engine,
    /// What is written so far; spaces come between.
    words: Vec<String>,
    tables: BTreeSet<TableName>,
    columns: BTreeSet<(TableName, String)>,
    /// What columns can belong to here: the SELECT itself last, those around it before.
    scopes: Vec<Vec<Relation>>,
    /// The queries of WITH that can be used here.
    commons: Vec<(String, Columns)>,
    /// Names given so far: each is another one.
    names: usize,
    /// How deep the part stands.
    depth: usize,
    is_write: bool,
    /// A forbidden part that is still to be put in.
    planned: Option<(Place, &'static str)>,
    /// The one that was put in.
    forbidden: Option<&'static str>,
    names_a_column: bool,
}

/// An alias of FROM.
#[derive(Clone)]
struct Relation {
    /// As it is written.
    alias: String,
    columns: Columns,
}

/// What is known of the columns of something.
#[derive(Clone)]
enum Columns {
    /// Of a table: any name could be one.
    Table(TableName),
    /// Exactly these names, as they are written. What has no name is not among them.
    Named(Vec<String>),
}

impl Maker<'_> {
    /// Writes words.
    fn say(&mut self, words: &str) {
        self.words.extend(words.split(' ').map(str::to_owned));
    }

    /// Writes one word that may hold spaces.
    fn say_one(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// A name that nothing else has.
    fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Puts in the planned part if this is its place.
    fn put_in(&mut self, place: Place) -> bool {
        let Some((_, part)) = self.planned.filter(|(planned, _)| *planned == place) else {
            return false;
        };
        self.planned = None;
        self.forbidden = Some(part);
        self.say_one(part);
        true
    }

    /// Whether a part may go deeper still.
    fn may_nest(&self, most: usize) -> bool {
        self.depth < most
    }
}

/// The words with something between them, in one of several spellings.
fn joined(words: &[String], spelling: usize, mut choices: Choices<'_>) -> String {
    let mut text = String::new();
    let mut last = "";
    for word in words {
        let touches = |word: &str| matches!(word, "(" | ")" | ",");
        let is_tight = spelling == 1 && (touches(last) || touches(word));
        if !text.is_empty() && !is_tight {
            text.push_str(match (spelling, choices.below(8)) {
                (2, _) => "\n",
                (3, 0..4) => "\t ",
                (3, 4) => " /* ' \" ; */ ",
                (3, 5) => " -- ) ` '\n",
                (3, 6) => "\r\n",
                (3, _) => "/**/",
                (_, _) => " ",
            });
        }
        let is_keyword = word.bytes().all(|byte| byte.is_ascii_uppercase());
        match spelling {
            4 if is_keyword => text.push_str(&word.to_ascii_lowercase()),
            _ => text.push_str(word),
        }
        last = word;
    }
    if spelling == 5 {
        text.push(';');
    }
    text
}
