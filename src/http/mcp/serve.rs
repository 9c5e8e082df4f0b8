//! The listener's side of a door: connections, their times and their end.

use crate::http::guard::ACCEPT_TIME;
use crate::time::Duration;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Connections that are open at the same time; more wait in the system's queue. Ours: four for each
/// request that may be worked on, since clients keep idle ones.
pub const CONNECTIONS_MAX: u32 = 64;
/// The head of one request, which hyper must hold as a whole. Ours: far above any real one.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How long open connections may finish their answer once the door closes. Ours: nothing behind
/// the door waits longer than a quarter of a second.
const CLOSE_TIME: Duration = Duration::seconds(2);
/// Pause after a failed accept (for example no free file handles), so that it cannot spin.
const ACCEPT_PAUSE: Duration = Duration(100);

/// Serves a door until `shutdown`, then lets open answers finish and returns.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(CONNECTIONS_MAX as usize));
    // Whatever is still open at the very end is dropped with this.
    let abandon = CancellationToken::new();
    let _abandon_at_end = abandon.clone().drop_guard();
    loop {
        let next = next_connection(&listener, &slots);
        let Some(next) = shutdown.run_until_cancelled(next).await else { break };
        match next {
            Ok((stream, slot)) => {
                let work = connection(stream, app.clone(), shutdown.clone(), ACCEPT_TIME);
                let abandoned = abandon.clone();
                tokio::spawn(async move {
                    abandoned.run_until_cancelled(work).await;
                    drop(slot);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE.to_std()).await;
            }
        }
    }
    drop(listener);
    // Every connection holds one: all of them are free when the last one has ended.
    let ended = slots.acquire_many(CONNECTIONS_MAX);
    if tokio::time::timeout(CLOSE_TIME.to_std(), ended).await.is_err() {
        tracing::warn!("connections were cut off while the door closed");
    }
    Ok(())
}

async fn next_connection(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let slot = slots.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, slot))
}

async fn connection(
    stream: TcpStream,
    app: Router,
    shutdown: CancellationToken,
    head_time: Duration,
) {
    // Answers are small and complete: waiting to fill packets only delays them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_time.to_std())
        .max_buf_size(HEAD_BYTES_MAX)
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

#[cfg(test)]
mod tests {
    use super::connection;
    use crate::time::Duration;
    use axum::Router;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_util::sync::CancellationToken;

    #[tokio::test]
    async fn a_head_that_does_not_arrive_in_time_ends_the_connection() {
        for sent in [&b""[..], b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            client.write_all(sent).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let never = CancellationToken::new();
            connection(stream, Router::new(), never, Duration(20)).await;
            let mut answer = Vec::new();
            let _ = client.read_to_end(&mut answer).await;
            assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"));
        }
    }
}
