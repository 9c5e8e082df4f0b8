//! From the server's codes to reasons.
//!
//! Sources: the MySQL manual, "Server Error Message Reference"; the MariaDB documentation, "MariaDB Error Codes".

use super::Flavour;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use std::fmt;

/// What the server complained about, in its own words. For the person only.
#[derive(Debug)]
pub(super) struct ServerMessage {
    code: u16,
    state: String,
    message: String,
}

impl ServerMessage {
    /// By number, SQLSTATE and words as they came.
    pub(super) fn new(code: u16, state: &[u8], message: &[u8]) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self { code, state: text(state), message: text(message) }
    }

    /// The number, which alone says what it is: several share a SQLSTATE.
    pub(super) const fn code(&self) -> u16 {
        self.code
    }

    /// The error for a statement.
    pub(super) fn into_error(self) -> DriverError {
        let error = match self.code {
            // Killed; the time of MySQL; the time of MariaDB.
            1317 | 3024 | 1969 => DriverError::deadline_exceeded(Reason::DeadlineExceeded),
            1205 | 3572 => DriverError::failed(Reason::TableLocked),
            1213 | 1020 | 1412 => DriverError::failed(Reason::ConflictWithOthers),
            1044 | 1045 | 1142 | 1143 | 1227 | 1290 | 1370 | 1836 => {
                DriverError::failed(Reason::StatementNotPermitted)
            }
            1792 => DriverError::refused(Reason::StatementNotRead),
            1040 | 1203 | 1226 => DriverError::unavailable(Reason::ServerFull),
            // MariaDB lets an account with an expired password in, to change it and for nothing else.
            1820 | 1862 => DriverError::unavailable(Reason::LoginRefused),
            1146 | 1051 => DriverError::refused(Reason::TableUnknown),
            1054 => DriverError::refused(Reason::ColumnUnknown),
            1065 => DriverError::refused(Reason::StatementEmpty),
            1021 | 1037 | 1038 | 1041 | 1114 | 1135 => DriverError::failed(Reason::OutOfSpace),
            1053 | 1077 | 1079 | 1927 | 4031 => DriverError::failed(Reason::ServerLost),
            // A statement nested too deep, joined too wide, or longer than the server takes.
            1116 | 1436 | 1153 | 1104 | 3095 => DriverError::refused(Reason::StatementTooComplex),
            3819 | 4025 => DriverError::failed(Reason::ConstraintViolated),
            _ => match self.state.as_str() {
                state if state.starts_with("23") => DriverError::failed(Reason::ConstraintViolated),
                state if state.starts_with("42") || state == "0A000" => {
                    DriverError::refused(Reason::StatementNotAccepted)
                }
                "21000" | "HY000" | "22000" => DriverError::failed(Reason::ExecutionFailed),
                state if state.starts_with("08") => DriverError::failed(Reason::ServerLost),
                _ => DriverError::failed(Reason::ExecutionFailed),
            },
        };
        error.because(self)
    }
}

impl fmt::Display for ServerMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}, {})", self.message, self.code, self.state)
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
        1049 => Reason::DatabaseUnknown,
        1040 | 1203 | 1226 => Reason::ServerFull,
        1053 | 1079 => Reason::ServerNotReady,
        // It takes encrypted connections only.
        3159 => Reason::ServerNeedsTls,
        // Access denied, host not allowed, host blocked, expired password, unknown way to log in.
        1044 | 1045 | 1129 | 1130 | 1251 | 1275 | 1524 | 1698 | 1820 | 1862 | 3118 | 4151 => {
            Reason::LoginRefused
        }
        _ => Reason::ServerUnreachable,
    };
    DriverError::unavailable(reason).because(message)
}

/// What answers is the other one of the two.
pub(super) fn another(flavour: Flavour) -> DriverError {
    let words = match flavour {
        Flavour::Mysql => "it is a MySQL server, and this source says MariaDB",
        Flavour::Mariadb => "it is a MariaDB server, and this source says MySQL",
    };
    DriverError::unavailable(Reason::ServerNotRecognised).because(words)
}
