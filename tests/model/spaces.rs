//! The bounded spaces that are explored whole. Each has two agents, one database with two tables, and at
//! most two requests; `tests/model.rs` says how many states each has.

use super::machine::Space;
use super::moves::{Agent, Ask, Change, Move, Outcome, Table, Whom};
use dbeast::events::{Level, Scope, TableLevel};
use dbeast::reducer::state::Status;

const CLAUDE: Whom = Whom::Only(Agent::Claude);
const CURSOR: Whom = Whom::Only(Agent::Cursor);
const EVERYBODY: Whom = Whom::Everybody;

const NONE: Option<Level> = None;
const ASK: Option<Level> = Some(Level::Ask);
const READ: Option<Level> = Some(Level::Read);
const WRITE: Option<Level> = Some(Level::ReadWrite);

const NO_TABLE: Option<TableLevel> = None;
const READ_TABLE: Option<TableLevel> = Some(TableLevel::Read);
const WRITE_TABLE: Option<TableLevel> = Some(TableLevel::ReadWrite);

fn empty(name: &'static str) -> Space {
    Space {
        name,
        scene: Vec::new(),
        levels: Vec::new(),
        tables: Vec::new(),
        asks: Vec::new(),
        scopes: Vec::new(),
        outcomes: Vec::new(),
        changes: Vec::new(),
        is_ended: false,
        is_stopped: false,
        is_attacked: false,
        jumps: 0,
        reached: Vec::new(),
    }
}

/// Decisions about reads: table and source grants, identities, levels of tables.
pub(crate) fn reads() -> Space {
    Space {
        scene: vec![Move::Share(CLAUDE, ASK)],
        levels: vec![(CLAUDE, vec![NONE, ASK, READ]), (EVERYBODY, vec![NONE, ASK])],
        tables: vec![
            (CLAUDE, Table::Orders, vec![NO_TABLE, READ_TABLE, WRITE_TABLE]),
            (CLAUDE, Table::Lines, vec![NO_TABLE, READ_TABLE]),
            (EVERYBODY, Table::Orders, vec![NO_TABLE, READ_TABLE]),
        ],
        asks: vec![(Agent::Claude, Ask::Orders), (Agent::Claude, Ask::Both)],
        scopes: vec![Scope::Once, Scope::Table, Scope::Source],
        outcomes: vec![
            Outcome::Rows,
            Outcome::RowsOf(1),
            Outcome::RowsOf(2),
            Outcome::Failed,
            Outcome::AnotherTable,
            Outcome::Stopped,
        ],
        reached: vec![
            Status::Completed,
            Status::Failed,
            Status::Denied,
            Status::Cancelled,
            Status::Revoked,
        ],
        ..empty("reads and table grants")
    }
}

/// Writes: full SQL, writes of a table, the go-ahead, changes of the database.
pub(crate) fn writes() -> Space {
    Space {
        scene: vec![Move::Share(CLAUDE, ASK)],
        levels: vec![(CLAUDE, vec![NONE, ASK, READ, WRITE])],
        tables: vec![(CLAUDE, Table::Orders, vec![NO_TABLE, READ_TABLE, WRITE_TABLE])],
        asks: vec![(Agent::Claude, Ask::Plain), (Agent::Claude, Ask::Write)],
        scopes: vec![Scope::Once, Scope::FullSql],
        outcomes: vec![
            Outcome::Rows,
            Outcome::Failed,
            Outcome::AnotherTable,
            Outcome::Stopped,
            Outcome::OutOfTime,
            Outcome::Lost,
        ],
        changes: vec![
            Change::Password,
            Change::Available(false),
            Change::Available(true),
            Change::ReadOnly(true),
            Change::ReadOnly(false),
        ],
        reached: vec![
            Status::Completed,
            Status::Failed,
            Status::Denied,
            Status::Cancelled,
            Status::Expired,
            Status::Revoked,
            Status::OutcomeUnknown,
            Status::CompletedResultRevoked,
        ],
        ..empty("writes")
    }
}

/// Two agents and the entry of all agents; each other's tokens, used keys, everything that ends.
pub(crate) fn agents() -> Space {
    Space {
        scene: vec![Move::Share(CLAUDE, ASK), Move::Share(EVERYBODY, ASK)],
        levels: vec![
            (CLAUDE, vec![NONE, ASK, READ]),
            (CURSOR, vec![NONE, WRITE]),
            (EVERYBODY, vec![NONE, ASK, READ]),
        ],
        asks: vec![(Agent::Claude, Ask::Orders), (Agent::Cursor, Ask::Plain)],
        scopes: vec![Scope::Once, Scope::Source, Scope::FullSql],
        outcomes: vec![Outcome::Rows, Outcome::Failed, Outcome::Lost],
        is_ended: true,
        is_attacked: true,
        reached: vec![
            Status::Completed,
            Status::Failed,
            Status::Denied,
            Status::Cancelled,
            Status::Revoked,
            Status::OutcomeUnknown,
            Status::CompletedResultRevoked,
        ],
        ..empty("two agents")
    }
}

/// The server stopped and started, and one moment of time: who waits, runs or is done goes on as another.
pub(crate) fn restart() -> Space {
    Space {
        scene: vec![Move::Share(EVERYBODY, ASK)],
        levels: vec![(EVERYBODY, vec![ASK, WRITE])],
        asks: vec![(Agent::Claude, Ask::Orders), (Agent::Cursor, Ask::Write)],
        scopes: vec![Scope::Once, Scope::FullSql],
        outcomes: vec![Outcome::Rows, Outcome::OutOfTime],
        is_stopped: true,
        jumps: 1,
        reached: vec![
            Status::Completed,
            Status::Denied,
            Status::Cancelled,
            Status::Expired,
            Status::Revoked,
            Status::OutcomeUnknown,
            Status::CompletedResultRevoked,
            Status::ResultExpired,
        ],
        ..empty("restart and one moment of time")
    }
}

/// Time three times over: alarms, timers that sleep, deadlines, results and sessions that expire.
pub(crate) fn time() -> Space {
    Space {
        scene: vec![Move::Share(CLAUDE, ASK)],
        asks: vec![(Agent::Claude, Ask::Orders), (Agent::Claude, Ask::Plain)],
        scopes: vec![Scope::Once, Scope::Source],
        outcomes: vec![Outcome::RowsOf(1), Outcome::OutOfTime],
        jumps: 3,
        reached: vec![
            Status::Completed,
            Status::Denied,
            Status::Cancelled,
            Status::Expired,
            Status::Revoked,
            Status::OutcomeUnknown,
            Status::ResultExpired,
        ],
        ..empty("time")
    }
}

/// A small one that a debug build explores in a moment: one read, one write, and the decisions about them.
pub(crate) fn small() -> Space {
    Space {
        scene: vec![Move::Share(CLAUDE, ASK)],
        levels: vec![(CLAUDE, vec![NONE, ASK, READ])],
        asks: vec![(Agent::Claude, Ask::Orders), (Agent::Claude, Ask::Plain)],
        scopes: vec![Scope::Once, Scope::Source],
        outcomes: vec![Outcome::RowsOf(1), Outcome::Lost],
        is_attacked: true,
        reached: vec![
            Status::Completed,
            Status::Denied,
            Status::Cancelled,
            Status::Revoked,
            Status::OutcomeUnknown,
            Status::CompletedResultRevoked,
        ],
        ..empty("small")
    }
}
