//! Every bound of the state machine with its reason. Unless said otherwise the figures are those of
//! the contract, "Limits". An agent can switch none of them off.

use crate::time::Duration;

/// Agent connections. Bounds the vault item and the table that each bearer token is compared with.
pub const CLIENTS_MAX: usize = 16;
/// Live sessions. One per client, so this can only be reached together with [`CLIENTS_MAX`].
pub const SESSIONS_MAX: usize = 16;
// One session per client: the limit of clients is reached first, so beginning a session needs no check.
const _: () = assert!(CLIENTS_MAX <= SESSIONS_MAX);
/// Sources. The contract bounds shared ones; we bound all, so that sharing can never fail for it.
pub const SOURCES_MAX: usize = 128;
/// Open documents. The contract bounds shared ones; we bound all, so that sharing can never fail for it.
pub const DOCUMENTS_MAX: usize = 128;
/// One snapshot of a document, in bytes.
pub const SNAPSHOT_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// The snapshots of all documents, in bytes.
pub const SNAPSHOTS_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Tables with a level of their own in one entry of the sharing table. Ours: bounds the vault item.
pub const SHARED_TABLES_MAX: usize = 64;
/// Tables with a level of their own in all entries together. Ours: bounds the vault item.
pub const SHARED_TABLES_IN_ALL_MAX: usize = 1024;
/// Grants of one session beside one-time ones. Ours: more than anybody reads through.
pub const GRANTS_PER_SESSION_MAX: usize = 64;
/// A session that does nothing for so long is over: nobody is there any more.
pub const SESSION_IDLE: Duration = Duration::minutes(20);
/// A session is over after this time whatever it does: a leaked token is useful no longer.
pub const SESSION_LIFETIME: Duration = Duration::minutes(120);
/// How long a request waits for the person, and for a free slot after that.
pub const DECISION: Duration = Duration::minutes(5);
/// How long an operation may run before it is interrupted.
pub const OPERATION: Duration = Duration::seconds(30);
/// How long setting up a connection may take, as a part of [`OPERATION`]; the driver keeps to it.
pub const CONNECTION_SETUP: Duration = Duration::seconds(15);
/// Requests of one session that wait: an agent cannot bury the person in prompts.
pub const PENDING_PER_SESSION_MAX: usize = 4;
/// Requests that wait in all.
pub const PENDING_MAX: usize = 32;
/// Tasks of one session that hold a slot.
pub const TASKS_PER_SESSION_MAX: usize = 1;
/// Tasks in all that hold a slot, those that are still being cancelled included.
pub const TASKS_MAX: usize = 4;
/// Requests kept in memory, finished ones included.
pub const REQUESTS_MAX: usize = 64;
/// How long a finished request is kept.
pub const RETENTION: Duration = Duration::minutes(5);
/// Idempotency keys of one session. They are never evicted, so that no write can run twice.
pub const KEYS_PER_SESSION_MAX: usize = 256;
/// Entries of the activity list.
pub const ACTIVITY_MAX: usize = 100;
/// Entries of the activity list that an agent can make at will (sessions, refused texts). Ours: what the
/// person and the databases did cannot be washed out of the list by an agent that talks a lot.
pub const ACTIVITY_OF_AGENTS_MAX: usize = 50;
/// Rows of one result.
pub const ROWS_MAX: u32 = 500;
/// Data of one result, in bytes of its JSON.
pub const RESULT_BYTES_MAX: usize = 256 * 1024;
/// One value of a result, in bytes.
pub const CELL_BYTES_MAX: usize = 64 * 1024;
/// One answer to an agent in bytes: the result twice (structure and text) with escapes.
pub const RESPONSE_BYTES_MAX: usize = 1024 * 1024;
/// Labels and names that people and agents give, in characters. Ours; long enough for a sentence.
pub const LABEL_CHARS_MAX: usize = 80;
/// The person's note on a denial, in characters. Ours.
pub const NOTE_CHARS_MAX: usize = 300;
/// Use of a session by reads is noted at most this often. Ours: bounds the events of a poller.
pub const SESSION_USE_INTERVAL: Duration = Duration::seconds(1);
