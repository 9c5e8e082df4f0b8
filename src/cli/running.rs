//! The running program: both doors, the store and the runner of effects, wired together.

use super::{DoorArguments, Failure};
use crate::drivers::{self, Limits, Task};
use crate::effects::keep::Keep;
use crate::effects::passwords::Passwords;
use crate::effects::runner::{self, Outside};
use crate::effects::{clock, query};
use crate::events::{Event, ServerEvent};
use crate::http::person::{Candidate, Kept, Keys, OwnFiles, Probe, ProbeError};
use crate::http::{mcp, person};
use crate::ids::{SourceGeneration, SourceId};
use crate::reducer::Place;
use crate::secret::Secret;
use crate::store::Store;
use crate::time::Duration;
use crate::value::ReadLock;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long a database may take to show that it can be opened (contract, "Limits": connection setup).
const PROBE: Duration = Duration::seconds(15);
/// How long the end of the program waits for databases to let go.
const FAREWELL: Duration = Duration::seconds(3);

/// The program while its doors are open.
pub(super) struct Running {
    pub(super) store: Store,
    keys: Keys,
    ui_port: u16,
    mcp_port: u16,
    keep: Option<Arc<Keep>>,
    shutdown: CancellationToken,
    /// Ends the runner of effects.
    no_more: CancellationToken,
    working: JoinHandle<()>,
    doors: [JoinHandle<std::io::Result<()>>; 2],
}

/// Listeners that are bound before anything is read or changed, so that a port in use is found
/// first.
pub(super) struct Ports {
    ui: TcpListener,
    mcp: TcpListener,
}

impl Ports {
    /// Binds both. A port of none takes the given default.
    pub(super) async fn bind(doors: &DoorArguments, mcp_default: u16) -> Result<Self, Failure> {
        let ui_port = doors.ui_port.unwrap_or(0);
        let mcp_port = doors.mcp_port.unwrap_or(mcp_default);
        if ui_port == mcp_port && ui_port != 0 {
            let message = format!("port {ui_port} cannot be both yours and the agents'");
            return Err(Failure::new(message).with_hint(
                "Choose different ones with --ui-port and --mcp-port; 0 takes any free one.",
            ));
        }
        let ui = bind("--ui-port", ui_port).await?;
        let mcp = bind("--mcp-port", mcp_port).await?;
        Ok(Self { ui, mcp })
    }
}

async fn bind(flag: &str, port: u16) -> Result<TcpListener, Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.map_err(|error| {
        let message = if error.kind() == std::io::ErrorKind::AddrInUse {
            format!("port {port} on 127.0.0.1 is in use")
        } else {
            format!("port {port} on 127.0.0.1 cannot be opened: {error}")
        };
        Failure::new(message).with_hint(format!(
            "Choose another with {flag} PORT; {flag} 0 takes any free one. Is DBeast running already?"
        ))
    })
}

/// What the program starts with.
pub(super) struct Beginning {
    /// Restored state and notices, in order.
    pub(super) events: Vec<Event>,
    /// Where changes are kept, if anywhere.
    pub(super) keep: Option<Arc<Keep>>,
    /// The passwords of sources.
    pub(super) passwords: Passwords,
    /// DBeast's own files.
    pub(super) own_files: OwnFiles,
}

impl Running {
    /// Opens both doors.
    pub(super) async fn start(
        ports: Ports,
        beginning: impl FnOnce(&Store) -> Beginning,
    ) -> Result<Self, Failure> {
        let clock = clock::real();
        let (store, effects) = Store::start(clock.clone());
        let Beginning { events, keep, passwords, own_files } = beginning(&store);
        let no_more = CancellationToken::new();
        let outside =
            Outside { keep: keep.clone(), passwords: passwords.clone(), ..Outside::default() };
        let working = runner::run(effects, store.clone(), outside, no_more.clone());
        let working = tokio::spawn(working);
        for event in events {
            store.send(event).await.map_err(|refusal| Failure::new(refusal.message()))?;
        }
        let (ui_port, mcp_port) = (ports.ui.local_addr()?.port(), ports.mcp.local_addr()?.port());
        store
            .send(ServerEvent::Started { port: mcp_port })
            .await
            .map_err(|refusal| Failure::new(refusal.message()))?;
        let keys = Keys::new(clock);
        let shutdown = CancellationToken::new();
        let agents = mcp::app(mcp::Door { store: store.clone(), port: mcp_port });
        let people = person::Door {
            store: store.clone(),
            keys: keys.clone(),
            port: ui_port,
            probe: probe(),
            passwords,
            own_files,
            kept: kept(keep.clone()),
        };
        let doors = [
            tokio::spawn(mcp::serve(ports.mcp, agents, shutdown.clone())),
            tokio::spawn(person::serve(ports.ui, people, shutdown.clone())),
        ];
        Ok(Self { store, keys, ui_port, mcp_port, keep, shutdown, no_more, working, doors })
    }

    /// A fresh one-time link for the person.
    pub(super) fn link(&self) -> Result<Secret, Failure> {
        Ok(self.keys.link(self.ui_port)?)
    }

    /// Where agents connect.
    pub(super) fn mcp_url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.mcp_port)
    }

    /// Ends every session, closes both doors, waits a moment for databases to let go, and keeps what
    /// has changed.
    pub(super) async fn stop(self) {
        self.shutdown.cancel();
        for door in self.doors {
            if tokio::time::timeout(FAREWELL.to_std(), door).await.is_err() {
                tracing::warn!("a door did not close in time");
            }
        }
        // Nobody can change anything any more. The effects of every change are handed on before
        // the answer to a later event, so after this one the runner finds all of them.
        let _ = self.store.send(ServerEvent::Stopped).await;
        self.no_more.cancel();
        if tokio::time::timeout(FAREWELL.to_std(), self.working).await.is_err() {
            tracing::warn!("a database did not let go in time");
        }
        if let Some(keep) = self.keep {
            keep.finish().await;
        }
    }
}

/// Waits for the vault, where there is one.
fn kept(keep: Option<Arc<Keep>>) -> Kept {
    Arc::new(move || {
        let keep = keep.clone();
        Box::pin(async move {
            if let Some(keep) = keep {
                keep.catch_up().await;
            }
        })
    })
}

/// Looks at a database before it is added, without any rule about who may.
fn probe() -> Probe {
    Arc::new(|candidate: Candidate| {
        Box::pin(async move {
            let deadline = clock::instant_after(PROBE);
            let task = Task::new(CancellationToken::new(), deadline, Limits::contract());
            let Candidate { location, password } = candidate;
            // It has no configuration yet; nothing is kept open for it.
            let place = Place {
                source: SourceId::new(""),
                generation: SourceGeneration::default(),
                location,
                context: None,
                is_read_only: true,
                read_lock: ReadLock::default(),
            };
            let found = drivers::probe(&query::location_of(&place, password), &task).await;
            found.map(|_| ()).map_err(|error| ProbeError {
                message: explain(&error),
                hint: error.hint().to_owned(),
            })
        })
    })
}

fn explain(error: &drivers::DriverError) -> String {
    // The reason is worded for agents; its last sentence sends them to the person, who is here.
    let reason = error.reason().message();
    let reason = reason.split(" Only the person in DBeast").next().unwrap_or(reason);
    let cause = error.cause();
    if cause.is_empty() { reason.to_owned() } else { format!("{reason} ({cause})") }
}
