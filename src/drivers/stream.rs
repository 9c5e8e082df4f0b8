//! The connection to a server as bytes: TCP or a Unix socket.

use super::DriverError;
use crate::reason::DatabaseReason;
use bytes::BytesMut;
use socket2::SockRef;
use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;

/// Room for one reading.
const READ_BYTES: usize = 16 * 1024;

fn unreachable(error: io::Error) -> DriverError {
    DriverError::unavailable(DatabaseReason::ServerUnreachable).because(error)
}

/// An open way to the server.
pub(in crate::drivers) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Stream {
    /// Connects to a name or address. The caller bounds the time.
    pub(in crate::drivers) async fn tcp(host: &str, port: u16) -> Result<Self, DriverError> {
        let stream = TcpStream::connect((host, port)).await.map_err(unreachable)?;
        // Each message is written whole and waited for.
        stream.set_nodelay(true).map_err(unreachable)?;
        Ok(Self::Tcp(stream))
    }

    /// Connects to a Unix socket.
    #[cfg(unix)]
    pub(in crate::drivers) async fn unix(path: &str) -> Result<Self, DriverError> {
        UnixStream::connect(path).await.map(Self::Unix).map_err(unreachable)
    }

    /// Whether what is sent stays on this machine.
    pub(in crate::drivers) fn is_local(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.peer_addr().is_ok_and(|address| address.ip().is_loopback()),
            #[cfg(unix)]
            Self::Unix(_) => true,
        }
    }

    /// Whether nothing came while nobody waited: neither an end nor a word.
    pub(in crate::drivers) fn is_quiet(&self) -> bool {
        // The system is asked itself: what the runtime knows of a socket may be a moment old.
        let mut byte = [MaybeUninit::uninit()];
        let seen = match self {
            Self::Tcp(stream) => SockRef::from(stream).peek(&mut byte),
            #[cfg(unix)]
            Self::Unix(stream) => SockRef::from(stream).peek(&mut byte),
        };
        seen.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Writes everything. What was written leaves `bytes`, so that it may be stopped half-way.
    pub(in crate::drivers) async fn write(&mut self, bytes: &mut BytesMut) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.write_buf(bytes).await? == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        self.flush().await
    }

    /// Reads more; an end is an error.
    pub(in crate::drivers) async fn read_more(&mut self, bytes: &mut BytesMut) -> io::Result<()> {
        bytes.reserve(READ_BYTES);
        if self.read_buf(bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Reads to the end and keeps nothing.
    pub(in crate::drivers) async fn read_to_end_of_connection(&mut self) {
        let mut bytes = vec![0; 4096];
        while matches!(self.read(&mut bytes).await, Ok(count) if count > 0) {}
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
