//! The listener's side of both doors: connections, their number, their times and their end.
//!
//! A connection that has not shown a key yet is worth nothing: when there are too many, the oldest of
//! those gives way to the next one. So nobody can shut anybody out by holding connections open.

use super::guard::ACCEPT_TIME;
use crate::time::Duration;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

/// Connections of one door that are open at the same time. Ours: four for each request that may be
/// worked on, since clients keep idle ones.
pub const CONNECTIONS_MAX: usize = 64;
/// How long open connections may finish their answer once the door closes. Ours: nothing behind
/// a door waits longer than a quarter of a second.
const CLOSE_TIME: Duration = Duration::seconds(2);
/// Pause after a failed accept (for example no free file handles), so that it cannot spin.
const ACCEPT_PAUSE: Duration = Duration(100);

/// What a request may know of the connection that it came by.
#[derive(Clone, Debug)]
pub struct Connection {
    peer: SocketAddr,
    is_trusted: Arc<AtomicBool>,
}

impl Connection {
    /// The other end.
    #[must_use]
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// A key was shown on this connection: it is not the first to give way any more.
    pub fn trust(&self) {
        self.is_trusted.store(true, Ordering::Relaxed);
    }
}

/// Serves a door until `shutdown`, then lets open answers finish and returns.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let mut working = JoinSet::new();
    let mut open = VecDeque::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            Some(_) = working.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                make_room(&mut open);
                let connection = Connection { peer, is_trusted: Arc::default() };
                let is_trusted = connection.is_trusted.clone();
                let app = app.clone().layer(Extension(connection));
                let handle = working.spawn(answer(stream, app, shutdown.clone()));
                open.push_back(Open { handle, is_trusted });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE.to_std()).await;
            }
        }
    }
    drop(listener);
    let ended = async { while working.join_next().await.is_some() {} };
    if tokio::time::timeout(CLOSE_TIME.to_std(), ended).await.is_err() {
        tracing::warn!("connections were cut off while the door closed");
    }
    Ok(())
}

/// A connection that was accepted and may have ended since.
struct Open {
    handle: AbortHandle,
    is_trusted: Arc<AtomicBool>,
}

/// Drops the oldest connection that has shown no key, or the oldest of all, if there is no room.
fn make_room(open: &mut VecDeque<Open>) {
    open.retain(|connection| !connection.handle.is_finished());
    if open.len() < CONNECTIONS_MAX {
        return;
    }
    let first = open.iter().position(|one| !one.is_trusted.load(Ordering::Relaxed)).unwrap_or(0);
    if let Some(least) = open.remove(first) {
        least.handle.abort();
    }
}

async fn answer(stream: TcpStream, app: Router, shutdown: CancellationToken) {
    // Answers are small and complete: waiting to fill packets only delays them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ACCEPT_TIME.to_std())
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
