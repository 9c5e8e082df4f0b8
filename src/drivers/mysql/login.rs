//! The ways to log in, and which of them may be used where.
//!
//! A password leaves this machine only as the answer to a challenge. The ways that need more than that (the first login of an
//! account with `caching_sha2_password`, `sha256_password`, passwords in clear) are used on this machine alone: who stands
//! between could give a key of his own.
//!
//! Source: the MySQL manual, "Authentication Plugins" and "Connection Phase".

use super::connect::{packet, unexpected, unrecognised};
use super::connection::CAPABILITIES;
use super::wire::Wire;
use crate::drivers::{DriverError, Server};
use crate::reason::DatabaseReason;
use crate::secret::Secret;
use mysql_common::auth::plugins::{AuthProc, ChallengeResponsePlugin as _, Context, Response};
use mysql_common::packets::{AuthPlugin, HandshakePacket, HandshakeResponse};
use mysql_common::proto::MySerialize as _;
use zeroize::Zeroizing;

/// Bytes of a packet that we would take: the largest there is.
const PACKET_BYTES_MAX: u32 = 1 << 30;

/// First bytes of packets.
const OK: u8 = 0x00;
const MORE: u8 = 0x01;
const SWITCH: u8 = 0xfe;

/// What `caching_sha2_password` says if it does not know the account yet (MySQL manual, "Caching SHA-2 Pluggable
/// Authentication").
const FULL_AUTHENTICATION: &[u8] = &[4];

/// Where the server is, as far as it matters for a password.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// A Unix socket.
    pub(super) is_socket: bool,
    /// This machine.
    pub(super) is_local: bool,
}

/// Logs in.
pub(super) async fn authenticate(
    wire: &mut Wire,
    greeting: &HandshakePacket<'_>,
    server: &Server,
    place: Place,
) -> Result<(), DriverError> {
    let password = server.password.as_ref().map_or("", Secret::reveal).as_bytes();
    if server.user.contains('\0') || password.contains(&0) {
        return Err(login("a name and a password cannot hold the character 0"));
    }
    // If it is not known here, the server is asked for the one of the account.
    let offered = greeting.auth_plugin().map(AuthPlugin::into_owned).filter(is_known);
    let way = offered.unwrap_or(AuthPlugin::MysqlNativePassword);
    let mut scramble = greeting.nonce();
    scramble.truncate(SCRAMBLE_BYTES);
    let mut dialogue = Dialogue::begin(way, scramble, password, place)?;
    let first = dialogue.answer_scramble()?;
    let response = HandshakeResponse::new(
        Some(first.data().unwrap_or_default().to_vec()),
        (8, 4, 0),
        Some(server.user.as_bytes()),
        None::<&[u8]>,
        Some(dialogue.way.borrow()),
        CAPABILITIES,
        None,
        PACKET_BYTES_MAX,
    );
    let mut bytes = Zeroizing::new(Vec::new());
    response.serialize(&mut bytes);
    wire.answer(&bytes).await.map_err(unrecognised)?;
    loop {
        let packet = packet(wire).await?;
        let answer = match packet.split_first() {
            Some((&OK, _)) => return Ok(()),
            Some((&MORE, challenge)) => dialogue.answer(challenge)?,
            Some((&SWITCH, switch)) => {
                let (way, scramble) = read_switch(switch)?;
                dialogue = Dialogue::begin(way, scramble, password, place)?;
                dialogue.answer_scramble()?
            }
            Some(_) | None => return Err(unexpected()),
        };
        if let Response::Next { packet: Some(data) } | Response::Last { packet: Some(data) } =
            answer
        {
            wire.answer(&Zeroizing::new(data)).await.map_err(unrecognised)?;
        }
    }
}

/// Bytes of a challenge; another one, 0, ends it.
const SCRAMBLE_BYTES: usize = 20;

/// The name of another way, and its challenge.
fn read_switch(switch: &[u8]) -> Result<(AuthPlugin<'static>, Vec<u8>), DriverError> {
    let at = switch.iter().position(|byte| *byte == 0).ok_or_else(unknown_way)?;
    let (name, challenge) = switch.split_at_checked(at).ok_or_else(unexpected)?;
    let way = AuthPlugin::from_bytes(name).into_owned();
    let challenge = challenge.get(1..).unwrap_or_default();
    Ok((way, challenge.strip_suffix(&[0]).unwrap_or(challenge).to_vec()))
}

/// One way, and how far it came.
struct Dialogue<'a> {
    way: AuthPlugin<'static>,
    procedure: AuthProc,
    scramble: Vec<u8>,
    password: &'a [u8],
    place: Place,
}

impl<'a> Dialogue<'a> {
    fn begin(
        way: AuthPlugin<'static>,
        scramble: Vec<u8>,
        password: &'a [u8],
        place: Place,
    ) -> Result<Self, DriverError> {
        if !is_known(&way) {
            return Err(unknown_way());
        }
        let procedure = way.init().map_err(|_| unknown_way())?;
        Ok(Self { way, procedure, scramble, password, place })
    }

    fn answer_scramble(&mut self) -> Result<Response, DriverError> {
        let scramble = self.scramble.clone();
        self.answer(&scramble)
    }

    fn answer(&mut self, challenge: &[u8]) -> Result<Response, DriverError> {
        let leaves_more = match &self.way {
            AuthPlugin::CachingSha2Password => challenge == FULL_AUTHENTICATION,
            AuthPlugin::Sha256Password | AuthPlugin::MysqlClearPassword => {
                !self.password.is_empty()
            }
            AuthPlugin::MysqlNativePassword
            | AuthPlugin::MysqlOldPassword
            | AuthPlugin::Ed25519
            | AuthPlugin::Parsec
            | AuthPlugin::Other(_) => false,
        };
        if leaves_more && !self.place.is_local {
            return Err(DriverError::unavailable(DatabaseReason::ServerNeedsTls)
                .because("it wants the password itself, which is not sent over a network"));
        }
        let context =
            Known { password: self.password, scramble: &self.scramble, place: self.place };
        self.procedure.run(context, challenge).map_err(|error| login(error.to_string()))
    }
}

/// The ways that are used. An old one is as good as none, and others need what is not built in.
fn is_known(way: &AuthPlugin<'_>) -> bool {
    matches!(
        way,
        AuthPlugin::MysqlNativePassword
            | AuthPlugin::CachingSha2Password
            | AuthPlugin::Sha256Password
            | AuthPlugin::MysqlClearPassword
    )
}

/// What a way may know.
struct Known<'a> {
    password: &'a [u8],
    scramble: &'a [u8],
    place: Place,
}

impl Context for Known<'_> {
    fn pass(&self) -> &[u8] {
        self.password
    }

    // Servers take a password as it is over a socket, and only encrypted over TCP.
    fn is_ipc_transport(&self) -> bool {
        self.place.is_socket
    }

    fn is_tls_transport(&self) -> bool {
        false
    }

    fn scramble(&self) -> &[u8] {
        self.scramble
    }

    fn server_key_pem(&self) -> Option<&[u8]> {
        None
    }
}

fn unknown_way() -> DriverError {
    login("it wants a way to log in that DBeast does not know")
}

fn login(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> DriverError {
    DriverError::unavailable(DatabaseReason::LoginRefused).because(cause)
}
