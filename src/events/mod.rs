//! What happened, as facts in the past tense. One file per family, no logic.
//!
//! Everything that the reducer may know enters here: the time, fresh identifiers, token hashes,
//! verified statements and results. An old log therefore replays the same under new code.
//! What never lives here: clocks, randomness, I/O, SQL parsing, rules.

mod clients;
mod documents;
mod grants;
mod requests;
mod result;
mod server;
mod sessions;
mod sharing;
mod sources;
mod tasks;
mod withheld;

pub use clients::ClientEvent;
pub use documents::{DocumentEvent, DocumentKind, Excerpt};
pub use grants::{GrantEvent, Scope};
pub use requests::{
    ArgumentsDigest, Operation, RefusedText, RequestEvent, Submission, Target, TextTool, Tool,
    VerifiedRead, VerifiedWrite, WriteEstimate,
};
pub use result::{ResultBody, ResultPayload};
pub use server::{Notice, RestoredClient, RestoredSource, ServerEvent};
pub use sessions::SessionEvent;
pub use sharing::{Audience, KeptShare, Level, SharingEvent, TableLevel};
pub use sources::{ServerPlace, SourceChange, SourceEvent, SourceLocation};
pub use tasks::{TaskEvent, TaskOutcome};
pub use withheld::WithheldText;

use crate::time::Millis;
use serde::{Deserialize, Serialize};

/// The version of the wire form of a recorded log.
pub const LOG_VERSION: u32 = 3;

/// One event with its place in the only order there is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Envelope {
    /// Position in the log, from 1, without gaps.
    pub seq: u64,
    /// When the store took it in. Never earlier than the envelope before.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}

/// Everything that can happen. Closed on purpose: a new kind of event is a change of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Agent connections.
    Client(ClientEvent),
    /// Conversations of agents.
    Session(SessionEvent),
    /// Databases.
    Source(SourceEvent),
    /// Open texts.
    Document(DocumentEvent),
    /// Standing access.
    Sharing(SharingEvent),
    /// What the person allowed for a session.
    Grant(GrantEvent),
    /// What agents ask for and what the person decides.
    Request(RequestEvent),
    /// Work outside the reducer.
    Task(TaskEvent),
    /// The program itself.
    Server(ServerEvent),
}

macro_rules! family {
    ($variant:ident, $inner:ty) => {
        impl From<$inner> for Event {
            fn from(event: $inner) -> Self {
                Self::$variant(event)
            }
        }
    };
}
family!(Client, ClientEvent);
family!(Session, SessionEvent);
family!(Source, SourceEvent);
family!(Document, DocumentEvent);
family!(Sharing, SharingEvent);
family!(Grant, GrantEvent);
family!(Request, RequestEvent);
family!(Task, TaskEvent);
family!(Server, ServerEvent);
