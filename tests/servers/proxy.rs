//! A network between a driver and PostgreSQL that fails at the moment that a test names.
//!
//! It forwards whole messages of the protocol and looks at each before and after that. Everything is waited
//! for; nothing sleeps.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Longer than it takes on a busy machine until a driver says what a rule waits for.
const WAIT_MAX: Duration = Duration::from_mins(1);

/// Requests that stand in the place of the first message, by their number.
const TLS_OR_GSS: [u32; 2] = [80_877_103, 80_877_104];
const CANCEL: u32 = 80_877_102;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The driver.
    Client,
    /// PostgreSQL.
    Server,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing passes any more, in either direction, and nobody is told; new connections are taken
    /// and hear nothing.
    Stall,
    /// What this side says does not arrive any more.
    StallSide(Side),
    /// Every connection is closed; new ones work.
    Drop,
    /// Every connection is closed, and new ones are closed at once.
    Cut,
    /// Nothing, but the test is told.
    Note,
}

/// When it happens: once, at the first message that fits.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// Who says the message.
    pub(crate) side: Side,
    /// Its first byte; 0 for the first message of a connection, and none for any.
    pub(crate) begins: Option<u8>,
    /// A text in it; empty for any.
    pub(crate) contains: String,
    /// Whether it is forwarded before the action.
    pub(crate) arrives: bool,
    /// What happens then.
    pub(crate) action: Action,
}

impl Rule {
    /// At the driver's message that holds this text, which does not arrive.
    pub(crate) fn before(contains: &str, action: Action) -> Self {
        let contains = contains.to_owned();
        Self { side: Side::Client, begins: None, contains, arrives: false, action }
    }

    /// The same when the message has arrived.
    pub(crate) fn after(contains: &str, action: Action) -> Self {
        Self { arrives: true, ..Self::before(contains, action) }
    }

    /// At the server's message of this kind, which does not arrive.
    pub(crate) fn at_answer(begins: u8, action: Action) -> Self {
        let contains = String::new();
        Self { side: Side::Server, begins: Some(begins), contains, arrives: false, action }
    }

    fn fits(&self, side: Side, message: &[u8], is_first: bool) -> bool {
        let begins = if is_first { Some(0) } else { message.first().copied() };
        let text = self.contains.as_bytes();
        self.side == side
            && (self.begins.is_none() || self.begins == begins)
            && (text.is_empty() || message.windows(text.len()).any(|part| part == text))
    }
}

/// What has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Connections taken.
    pub(crate) connections: u64,
    /// Messages of the driver.
    pub(crate) client_messages: u64,
    /// Messages of the server.
    pub(crate) server_messages: u64,
    /// How often the driver spoke first, or after the server had.
    pub(crate) round_trips: u64,
    /// Bytes of the server.
    pub(crate) server_bytes: u64,
}

/// The network. Dropping it closes every connection.
pub(crate) struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

impl Proxy {
    /// Takes connections for the PostgreSQL server at this port.
    pub(crate) fn start(server: u16) -> Self {
        Self::start_for(Protocol::Postgres, server)
    }

    /// The same for a MySQL or MariaDB.
    pub(crate) fn start_mysql(server: u16) -> Self {
        Self::start_for(Protocol::Mysql, server)
    }

    fn start_for(protocol: Protocol, server: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared { protocol, ..Shared::default() });
        let kept = Arc::clone(&shared);
        std::thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                let shared = Arc::clone(&kept);
                std::thread::spawn(move || shared.serve(&client, server));
            }
        });
        Self { port, shared }
    }

    /// Where it takes them.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Waits for a message; this replaces a rule that was not met.
    pub(crate) fn arm(&self, rule: Rule) {
        let mut state = self.shared.lock();
        state.rule = Some(rule);
        state.is_met = false;
    }

    /// Waits until the rule was met and its action has happened.
    pub(crate) fn wait_for_rule(&self) {
        self.wait("a message that meets the rule", |state| state.is_met);
    }

    /// Whether it was.
    pub(crate) fn is_rule_met(&self) -> bool {
        self.shared.lock().is_met
    }

    /// Does it now.
    pub(crate) fn act(&self, action: Action) {
        self.shared.act(&mut self.shared.lock(), action);
    }

    /// Everything passes again, what was held first.
    pub(crate) fn resume(&self) {
        let mut state = self.shared.lock();
        state.stalled.clear();
        state.is_cut = false;
        self.shared.changed.notify_all();
    }

    /// What has passed so far.
    pub(crate) fn counts(&self) -> Counts {
        self.shared.lock().counts
    }

    /// Waits until nobody is connected any more.
    pub(crate) fn wait_until_idle(&self) {
        self.wait("the end of every connection", |state| state.open == 0);
    }

    fn wait(&self, what: &str, mut is_so: impl FnMut(&State) -> bool) {
        let state = self.shared.lock();
        let waiting = |state: &mut State| !is_so(state);
        let waited = self.shared.changed.wait_timeout_while(state, WAIT_MAX, waiting);
        let ended = waited.expect("no panic before").1;
        assert!(!ended.timed_out(), "there is never {what}");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.act(Action::Cut);
    }
}

/// How messages are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Protocol {
    /// A kind, and four bytes for the length.
    #[default]
    Postgres,
    /// Three bytes for the length, and a number; the kind is the first byte of what follows.
    Mysql,
}

#[derive(Default)]
struct Shared {
    protocol: Protocol,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    rule: Option<Rule>,
    is_met: bool,
    /// Whose words do not arrive.
    stalled: Vec<Side>,
    is_cut: bool,
    /// Both ends of each connection, also of those that have ended.
    streams: Vec<TcpStream>,
    open: u64,
    /// Who spoke last.
    last: Option<Side>,
    counts: Counts,
}

impl State {
    fn count(&mut self, side: Side, bytes: usize) {
        match side {
            Side::Client => {
                self.counts.client_messages += 1;
                self.counts.round_trips += u64::from(self.last != Some(Side::Client));
            }
            Side::Server => {
                self.counts.server_messages += 1;
                self.counts.server_bytes += u64::try_from(bytes).expect("a length");
            }
        }
        self.last = Some(side);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic before")
    }

    fn act(&self, state: &mut State, action: Action) {
        match action {
            Action::Stall => state.stalled.extend([Side::Client, Side::Server]),
            Action::StallSide(side) => state.stalled.push(side),
            Action::Drop | Action::Cut => {
                state.is_cut = action == Action::Cut;
                state.stalled.clear();
                for stream in state.streams.drain(..) {
                    let _ = stream.shutdown(Shutdown::Both);
                }
            }
            Action::Note => {}
        }
        self.changed.notify_all();
    }

    fn serve(self: &Arc<Self>, client: &TcpStream, port: u16) {
        let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { return };
        let same = |stream: &TcpStream| stream.try_clone().expect("a socket");
        for stream in [client, &server] {
            stream.set_nodelay(true).expect("a socket");
        }
        {
            let mut state = self.lock();
            state.counts.connections += 1;
            state.open += 1;
            state.last = None;
            if state.is_cut {
                for stream in [client, &server] {
                    let _ = stream.shutdown(Shutdown::Both);
                }
            } else {
                state.streams.extend([same(client), same(&server)]);
            }
        }
        if self.protocol == Protocol::Mysql || self.begin(client, &server).is_some() {
            let shared = Arc::clone(self);
            let (from, to) = (same(&server), same(client));
            let answers = std::thread::spawn(move || shared.pump(Side::Server, &from, &to));
            self.pump(Side::Client, client, &server);
            answers.join().expect("no panic");
        }
        for stream in [client, &server] {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.lock().open -= 1;
        self.changed.notify_all();
    }

    /// Up to the message that names user and database: it and all before it have no kind, and the answer to
    /// those before it is one byte.
    fn begin(&self, mut client: &TcpStream, mut server: &TcpStream) -> Option<()> {
        loop {
            let message = read_message(client, false)?;
            let code = u32::from_be_bytes(message.get(4..8)?.try_into().ok()?);
            self.forward(Side::Client, &message, server, true)?;
            if code == CANCEL {
                // The server closes it when it is done.
                let _ = server.read(&mut [0; 1]);
                return None;
            }
            if !TLS_OR_GSS.contains(&code) {
                return Some(());
            }
            let mut answer = [0; 1];
            server.read_exact(&mut answer).ok()?;
            assert_ne!(answer, *b"S", "what is encrypted cannot be looked at");
            client.write_all(&answer).ok()?;
        }
    }

    fn pump(&self, side: Side, from: &TcpStream, to: &TcpStream) {
        let read = || match self.protocol {
            Protocol::Postgres => read_message(from, true),
            Protocol::Mysql => read_packet(from),
        };
        while let Some(message) = read() {
            if self.forward(side, &message, to, false).is_none() {
                break;
            }
        }
        for stream in [from, to] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn forward(
        &self,
        side: Side,
        message: &[u8],
        mut to: &TcpStream,
        is_first: bool,
    ) -> Option<()> {
        let mut state = self.lock();
        let is_waited_for = |state: &State| {
            let inside = match self.protocol {
                Protocol::Postgres => message,
                Protocol::Mysql => message.get(4..).unwrap_or_default(),
            };
            state.rule.as_ref().is_some_and(|it| it.fits(side, inside, is_first))
        };
        let rule = is_waited_for(&state).then(|| state.rule.take()).flatten();
        if let Some(rule) = rule.as_ref().filter(|rule| !rule.arrives) {
            state.is_met = true;
            self.act(&mut state, rule.action);
        }
        state = self
            .changed
            .wait_while(state, |state| state.stalled.contains(&side))
            .expect("no panic before");
        state.count(side, message.len());
        // Whoever does not read must not hold up the others.
        drop(state);
        to.write_all(message).ok()?;
        if let Some(rule) = rule.filter(|rule| rule.arrives) {
            let mut state = self.lock();
            state.is_met = true;
            self.act(&mut state, rule.action);
        }
        Some(())
    }
}

/// One whole message; none at the end of the connection.
fn read_message(mut from: &TcpStream, has_kind: bool) -> Option<Vec<u8>> {
    let mut message = vec![0; 4 + usize::from(has_kind)];
    from.read_exact(&mut message).ok()?;
    let length = message.last_chunk::<4>().copied().map(u32::from_be_bytes)?;
    let body = usize::try_from(length).ok()?.checked_sub(4)?;
    let head = message.len();
    message.resize(head + body, 0);
    from.read_exact(message.get_mut(head..)?).ok()?;
    Some(message)
}

/// One whole packet of MySQL; none at the end of the connection.
fn read_packet(mut from: &TcpStream) -> Option<Vec<u8>> {
    let mut packet = vec![0; 4];
    from.read_exact(&mut packet).ok()?;
    let &[low, middle, high, _] = packet.first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes([low, middle, high, 0])).ok()?;
    packet.resize(4 + length, 0);
    from.read_exact(packet.get_mut(4..)?).ok()?;
    Some(packet)
}
