//! The simple query of PostgreSQL's protocol, version 3 (manual, chapter "Frontend/Backend
//! Protocol").

use super::{Answer, Cell, Client, Failure};
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Version 3.0 of the protocol.
const VERSION: i32 = 3 << 16;

/// Longer than any statement of a test takes on a busy machine: what hangs becomes a failure.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// How often a condition is asked for, with ten milliseconds in the server in between.
const POLLS_MAX: u32 = 6_000;

/// A connection.
pub(crate) struct PostgresClient {
    stream: BufReader<UnixStream>,
    /// The server process behind it.
    pub(crate) process: i32,
    /// What the server said besides, in its words: notices and warnings.
    pub(crate) notices: Vec<String>,
}

impl PostgresClient {
    /// As the superuser, or what the server said instead.
    pub(super) fn connect(socket: &Path, database: &str) -> Result<Self, String> {
        let stream = UnixStream::connect(socket).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(SILENCE_MAX)).expect("a socket");
        let mut client = Self { stream: BufReader::new(stream), process: 0, notices: Vec::new() };
        let mut body = VERSION.to_be_bytes().to_vec();
        for text in ["user", "postgres", "database", database, "client_encoding", "UTF8", ""] {
            body.extend(text.as_bytes());
            body.push(0);
        }
        client.send(None, &body).map_err(|failure| failure.message)?;
        client.answer().map_err(|failure| failure.message)?;
        client.must("SET standard_conforming_strings = on");
        client.must("SET search_path = pg_catalog");
        Ok(client)
    }

    /// Sends a statement and does not wait for its end; [`Self::answer`] does.
    pub(crate) fn begin(&mut self, text: &str) {
        self.try_begin(text).unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
    }

    fn try_begin(&mut self, text: &str) -> Result<(), Failure> {
        let mut body = text.as_bytes().to_vec();
        body.push(0);
        self.send(Some(b'Q'), &body)
    }

    /// Waits until the condition holds.
    pub(crate) fn until(&mut self, condition: &str) {
        // What others do is seen anew in each transaction only.
        let ask = format!("SELECT ({condition})::text, pg_catalog.pg_sleep(0.01)");
        for _ in 0..POLLS_MAX {
            if self.must(&ask).rows[0][0].as_deref() == Some("true") {
                return;
            }
        }
        panic!("never holds: {condition}");
    }

    /// The only value of the only row; an empty text for NULL.
    pub(crate) fn value(&mut self, text: &str) -> String {
        let answer = self.must(text);
        assert_eq!(answer.rows.len(), 1, "{text}");
        answer.rows[0][0].clone().unwrap_or_default()
    }

    fn send(&mut self, kind: Option<u8>, body: &[u8]) -> Result<(), Failure> {
        let length = i32::try_from(body.len() + 4).expect("a short message");
        let mut message: Vec<u8> = kind.into_iter().collect();
        message.extend(length.to_be_bytes());
        message.extend(body);
        self.stream.get_mut().write_all(&message).map_err(|error| lost(&error))
    }

    fn receive(&mut self) -> Result<(u8, Message), Failure> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).map_err(|error| lost(&error))?;
        let [kind, length @ ..] = head;
        let length = usize::try_from(i32::from_be_bytes(length)).expect("a length");
        let mut bytes = vec![0; length - 4];
        self.stream.read_exact(&mut bytes).map_err(|error| lost(&error))?;
        Ok((kind, Message { bytes, at: 0 }))
    }

    /// Everything up to the server's word that it is ready again.
    pub(crate) fn answer(&mut self) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        let mut failure = None;
        loop {
            let (kind, mut message) = match self.receive() {
                Ok(received) => received,
                // The server's own last words say more.
                Err(lost) => return Err(failure.unwrap_or(lost)),
            };
            match kind {
                b'T' => answer.names = message.names(),
                b'D' => answer.rows.push(message.cells()),
                b'E' => failure = Some(message.failure()),
                b'K' => self.process = message.number(),
                b'R' => assert_eq!(message.number(), 0, "no password is needed"),
                b'N' => self.notices.push(message.failure().message),
                b'Z' => return failure.map_or(Ok(answer), Err),
                // The end of a statement, an empty one, a setting.
                b'C' | b'I' | b'S' => {}
                other => panic!("message {other} of the server is not known"),
            }
        }
    }
}

impl Client for PostgresClient {
    fn ask(&mut self, text: &str) -> Result<Answer, Failure> {
        self.try_begin(text)?;
        self.answer()
    }
}

/// The connection broke.
fn lost(error: &std::io::Error) -> Failure {
    Failure { code: "lost".to_owned(), message: error.to_string() }
}

/// The inside of a message.
struct Message {
    bytes: Vec<u8>,
    at: usize,
}

impl Message {
    fn take(&mut self, length: usize) -> &[u8] {
        self.at += length;
        &self.bytes[self.at - length..self.at]
    }

    fn number(&mut self) -> i32 {
        i32::from_be_bytes(self.take(4).try_into().expect("four bytes"))
    }

    fn count(&mut self) -> usize {
        let bytes = self.take(2).try_into().expect("two bytes");
        usize::from(u16::from_be_bytes(bytes))
    }

    fn text(&mut self) -> String {
        let length = self.bytes[self.at..].iter().position(|byte| *byte == 0).expect("an end");
        let text = String::from_utf8(self.take(length).to_vec()).expect("UTF-8");
        self.take(1);
        text
    }

    fn names(&mut self) -> Vec<String> {
        (0..self.count())
            .map(|_| {
                let name = self.text();
                // Table, column, type, size, modifier, format.
                self.take(18);
                name
            })
            .collect()
    }

    fn cells(&mut self) -> Vec<Cell> {
        (0..self.count())
            .map(|_| {
                let length = usize::try_from(self.number()).ok()?;
                Some(String::from_utf8(self.take(length).to_vec()).expect("UTF-8"))
            })
            .collect()
    }

    fn failure(&mut self) -> Failure {
        let mut failure = Failure { code: String::new(), message: String::new() };
        while self.bytes[self.at] != 0 {
            let field = self.take(1)[0];
            let text = self.text();
            match field {
                b'C' => failure.code = text,
                b'M' => failure.message = text,
                _ => {}
            }
        }
        failure
    }
}
