//! From the server's codes to reasons.
//!
//! Source: the PostgreSQL manual, "PostgreSQL Error Codes" and "Error and Notice Message Fields". Only the five
//! letters of SQLSTATE decide, apart from two cases that share a code with others and are told apart by
//! the server's English words; under another language they get the wider reason.

use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::ErrorResponseBody;
use std::fmt;

/// What the server complained about, in its own words. For the person only.
#[derive(Debug, Default)]
pub(super) struct ServerMessage {
    code: String,
    message: String,
    detail: Option<String>,
    hint: Option<String>,
}

impl ServerMessage {
    pub(super) fn of(body: &ErrorResponseBody) -> Self {
        let mut message = Self::default();
        let mut fields = body.fields();
        // A broken field ends the list; what was read so far stays.
        while let Ok(Some(field)) = fields.next() {
            let text = || String::from_utf8_lossy(field.value_bytes()).into_owned();
            match field.type_() {
                b'C' => message.code = text(),
                b'M' => message.message = text(),
                b'D' => message.detail = Some(text()),
                b'H' => message.hint = Some(text()),
                _ => {}
            }
        }
        message
    }

    /// SQLSTATE.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// The error for a statement.
    pub(super) fn into_error(self) -> DriverError {
        let error = match self.code.as_str() {
            "57014" => DriverError::deadline_exceeded(Reason::DeadlineExceeded),
            "55P03" => DriverError::failed(Reason::TableLocked),
            "42501" => DriverError::failed(Reason::StatementNotPermitted),
            "25006" => DriverError::refused(Reason::StatementNotRead),
            "53300" => DriverError::unavailable(Reason::ServerFull),
            "42601" if self.message.contains("multiple commands") => {
                DriverError::refused(Reason::StatementNotSingle)
            }
            "0A000" if self.message.contains("cached plan") => {
                DriverError::refused(Reason::SchemaChanged)
            }
            "42P01" => DriverError::refused(Reason::TableUnknown),
            "42703" => DriverError::refused(Reason::ColumnUnknown),
            "40001" | "40P01" => DriverError::failed(Reason::ConflictWithOthers),
            "44000" => DriverError::failed(Reason::ConstraintViolated),
            // A materialized view that was not filled; nothing else says so for a verified read.
            "55000" => DriverError::failed(Reason::ExecutionFailed),
            code => match code.get(..2).unwrap_or_default() {
                "23" => DriverError::failed(Reason::ConstraintViolated),
                "53" => DriverError::failed(Reason::OutOfSpace),
                "54" => DriverError::refused(Reason::StatementTooComplex),
                "57" | "08" => DriverError::failed(Reason::ServerLost),
                "0A" | "42" => DriverError::refused(Reason::StatementNotAccepted),
                _ => DriverError::failed(Reason::ExecutionFailed),
            },
        };
        error.because(self)
    }
}

impl fmt::Display for ServerMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.message, self.code)?;
        let more = [("detail", &self.detail), ("hint", &self.hint)];
        for (name, text) in more.iter().filter_map(|(name, text)| Some((name, text.as_ref()?))) {
            write!(formatter, "; {name}: {text}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ServerMessage {}

/// The connection broke, or what came over it is not the protocol.
pub(super) fn broken(error: std::io::Error) -> DriverError {
    DriverError::failed(Reason::ServerLost).because(error)
}

/// Why the server did not let us in.
pub(super) fn refused_login(message: ServerMessage) -> DriverError {
    let reason = match message.code() {
        "28P01" => Reason::LoginRefused,
        // The rules of the server have the same code for an account and for a way to connect.
        "28000" if message.message.contains("no encryption") || message.message.contains("SSL") => {
            Reason::ServerNeedsTls
        }
        "3D000" => Reason::DatabaseUnknown,
        "53300" => Reason::ServerFull,
        "57P03" | "57P01" | "57P02" => Reason::ServerNotReady,
        code if code.starts_with("28") || code == "42501" => Reason::LoginRefused,
        _ => Reason::ServerUnreachable,
    };
    DriverError::unavailable(reason).because(message)
}
