//! The simple query of PostgreSQL's protocol, version 3 (manual, chapter "Frontend/Backend
//! Protocol").

use super::{Answer, Cell, Client, Failure};
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Version 3.0 of the protocol.
const VERSION: i32 = 3 << 16;

/// A connection.
pub(crate) struct PostgresClient {
    stream: BufReader<UnixStream>,
    /// The server process behind it.
    pub(crate) process: i32,
}

impl PostgresClient {
    pub(super) fn connect(socket: &Path, database: &str) -> Self {
        let stream = UnixStream::connect(socket).expect("a server that takes connections");
        let mut client = Self { stream: BufReader::new(stream), process: 0 };
        let mut body = VERSION.to_be_bytes().to_vec();
        for text in ["user", "postgres", "database", database, "client_encoding", "UTF8", ""] {
            body.extend(text.as_bytes());
            body.push(0);
        }
        client.send(None, &body);
        client.answer().unwrap_or_else(|failure| panic!("{database}: {failure:?}"));
        client.must("SET standard_conforming_strings = on");
        client.must("SET search_path = pg_catalog");
        client
    }

    fn send(&mut self, kind: Option<u8>, body: &[u8]) {
        let length = i32::try_from(body.len() + 4).expect("a short message");
        let mut message: Vec<u8> = kind.into_iter().collect();
        message.extend(length.to_be_bytes());
        message.extend(body);
        self.stream.get_mut().write_all(&message).expect("a server that listens");
    }

    fn receive(&mut self) -> (u8, Message) {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).expect("a server that answers");
        let [kind, length @ ..] = head;
        let length = usize::try_from(i32::from_be_bytes(length)).expect("a length");
        let mut bytes = vec![0; length - 4];
        self.stream.read_exact(&mut bytes).expect("a server that answers");
        (kind, Message { bytes, at: 0 })
    }

    /// Everything up to the server's word that it is ready again.
    fn answer(&mut self) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        let mut failure = None;
        loop {
            let (kind, mut message) = self.receive();
            match kind {
                b'T' => answer.names = message.names(),
                b'D' => answer.rows.push(message.cells()),
                b'E' => failure = Some(message.failure()),
                b'K' => self.process = message.number(),
                b'R' => assert_eq!(message.number(), 0, "no password is needed"),
                b'Z' => return failure.map_or(Ok(answer), Err),
                // The end of a statement, an empty one, a setting, a notice.
                b'C' | b'I' | b'S' | b'N' => {}
                other => panic!("message {other} of the server is not known"),
            }
        }
    }
}

impl Client for PostgresClient {
    fn ask(&mut self, text: &str) -> Result<Answer, Failure> {
        let mut body = text.as_bytes().to_vec();
        body.push(0);
        self.send(Some(b'Q'), &body);
        self.answer()
    }
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
