//! The text query of the protocol of MySQL and MariaDB, version 10 ("MySQL Client/Server
//! Protocol").

use super::{Answer, Cell, Client, Failure};
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Long passwords, protocol 4.1, transactions, secure connection, named ways to authenticate; not several
/// statements in one text, as in the driver.
const CAPABILITIES: u32 = 0x0001 | 0x0200 | 0x2000 | 0x8000 | 0x0008_0000;

/// `utf8mb4_general_ci`, which both servers know.
const CHARACTERS: u8 = 45;

/// A statement follows.
const COMMAND_QUERY: u8 = 3;

/// Marks of packets.
const OK: u8 = 0x00;
const MORE: u8 = 0x01;
const NULL: u8 = 0xfb;
const EOF: u8 = 0xfe;
const ERROR: u8 = 0xff;

/// A connection.
pub(crate) struct MysqlClient {
    stream: BufReader<UnixStream>,
    sequence: u8,
    /// Its number at the server.
    pub(crate) connection: u32,
}

impl MysqlClient {
    /// As the administrator.
    pub(super) fn connect(socket: &Path) -> Self {
        Self::connect_as(socket, "root")
    }

    /// As an account without a password.
    pub(super) fn connect_as(socket: &Path, user: &str) -> Self {
        let stream = UnixStream::connect(socket).expect("a server that takes connections");
        let mut client = Self { stream: BufReader::new(stream), sequence: 0, connection: 0 };
        let mut greeting = client.receive();
        assert_eq!(greeting.byte(), 10, "the version of the protocol");
        greeting.text_to_zero();
        client.connection = u32::from_le_bytes(greeting.take(4).try_into().expect("four bytes"));
        let mut body = CAPABILITIES.to_le_bytes().to_vec();
        body.extend(0x00ff_ffff_u32.to_le_bytes());
        body.push(CHARACTERS);
        body.extend([0; 23]);
        // The user, an empty answer for an empty password, the way to authenticate.
        body.extend(user.as_bytes());
        body.extend(b"\0\0mysql_native_password\0");
        client.send(&body);
        loop {
            let mut packet = client.receive();
            match packet.byte() {
                OK => break,
                // Another way; the password is empty there too.
                EOF => client.send(&[]),
                MORE => {}
                _ => panic!("the server lets nobody in: {:?}", packet.failure()),
            }
        }
        client
    }

    fn send(&mut self, body: &[u8]) {
        let length = u32::try_from(body.len()).expect("a short packet").to_le_bytes();
        assert_eq!(length[3], 0, "a packet below 16 MiB");
        let mut packet = vec![length[0], length[1], length[2], self.sequence];
        packet.extend(body);
        self.stream.get_mut().write_all(&packet).expect("a server that listens");
        self.sequence = self.sequence.wrapping_add(1);
    }

    fn receive(&mut self) -> Packet {
        let mut head = [0; 4];
        self.stream.read_exact(&mut head).expect("a server that answers");
        let length = u32::from_le_bytes([head[0], head[1], head[2], 0]);
        self.sequence = head[3].wrapping_add(1);
        let mut bytes = vec![0; usize::try_from(length).expect("a length")];
        self.stream.read_exact(&mut bytes).expect("a server that answers");
        Packet { bytes, at: 0 }
    }
}

impl Client for MysqlClient {
    fn ask(&mut self, text: &str) -> Result<Answer, Failure> {
        self.sequence = 0;
        let mut body = vec![COMMAND_QUERY];
        body.extend(text.as_bytes());
        self.send(&body);
        let mut answer = Answer::default();
        let mut first = self.receive();
        match first.bytes.first() {
            Some(&OK) => return Ok(answer),
            Some(&ERROR) => return Err(first.failure_of_query()),
            _ => {}
        }
        for _ in 0..first.number().expect("a count of columns") {
            let mut column = self.receive();
            // Catalog, schema, table, real table; then the name.
            for _ in 0..4 {
                column.cell();
            }
            answer.names.push(column.cell().expect("a name"));
        }
        assert!(self.receive().is_end(), "the end of the columns");
        loop {
            let mut row = self.receive();
            if row.is_end() {
                return Ok(answer);
            }
            if row.bytes.first() == Some(&ERROR) {
                return Err(row.failure_of_query());
            }
            answer.rows.push((0..answer.names.len()).map(|_| row.cell()).collect());
        }
    }
}

/// The inside of a packet.
struct Packet {
    bytes: Vec<u8>,
    at: usize,
}

impl Packet {
    fn take(&mut self, length: usize) -> &[u8] {
        self.at += length;
        &self.bytes[self.at - length..self.at]
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn text_to_zero(&mut self) {
        while self.byte() != 0 {}
    }

    /// A number of one to nine bytes; nothing for NULL.
    fn number(&mut self) -> Option<u64> {
        let length = match self.byte() {
            NULL => return None,
            0xfc => 2,
            0xfd => 3,
            EOF => 8,
            small => return Some(u64::from(small)),
        };
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(self.take(length));
        Some(u64::from_le_bytes(bytes))
    }

    fn cell(&mut self) -> Cell {
        let length = usize::try_from(self.number()?).expect("a length");
        let bytes = self.take(length);
        // What is no text is shown as its digits.
        Some(String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| format!("{bytes:02x?}")))
    }

    fn is_end(&self) -> bool {
        self.bytes.first() == Some(&EOF) && self.bytes.len() < 9
    }

    fn failure_of_query(&mut self) -> Failure {
        self.byte();
        self.failure()
    }

    fn failure(&mut self) -> Failure {
        let code = u16::from_le_bytes(self.take(2).try_into().expect("two bytes"));
        // A mark and five signs of SQLSTATE come first.
        let message = String::from_utf8_lossy(&self.bytes[self.at..]);
        let message = message.strip_prefix('#').map_or(&*message, |text| &text[5..]).to_owned();
        Failure { code: code.to_string(), message }
    }
}
