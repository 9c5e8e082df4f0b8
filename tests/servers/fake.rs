//! What else may answer, or not answer, at a server's port.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How it behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Takes connections, reads, and never says a word.
    Silent,
    /// Says one byte of a message of PostgreSQL every tenth of a second, and never comes to its end.
    Slow,
    /// Takes whatever comes for a bad request.
    Http,
    /// Greets as SSH does, before it is asked.
    Greeting,
    /// Closes each connection at once.
    Closing,
    /// Refuses connections, and keeps the port from everybody else.
    Refusing,
}

/// The time between two bytes of a slow one.
const PAUSE: Duration = Duration::from_millis(100);

/// A port at which it behaves so until this is dropped.
pub(crate) struct Fake {
    port: u16,
    /// A server that refuses is a socket that never listens.
    _refusing: Option<tokio::net::TcpSocket>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    accepted: Mutex<Receiver<()>>,
    /// Dropping it ends every pause.
    _ends: Option<Sender<()>>,
}

impl Fake {
    /// Begins.
    pub(crate) fn start(manner: Manner) -> Self {
        let open = Arc::new(Mutex::new(Vec::new()));
        let (accepts, accepted) = channel();
        let accepted = Mutex::new(accepted);
        if manner == Manner::Refusing {
            let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
            socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
            let port = socket.local_addr().expect("an address").port();
            return Self { port, _refusing: Some(socket), open, accepted, _ends: None };
        }
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (ends, end) = channel::<()>();
        let end = Arc::new(Mutex::new(end));
        let kept = Arc::clone(&open);
        std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                kept.lock().expect("no panic before").push(stream.try_clone().expect("a socket"));
                let _ = accepts.send(());
                let end = Arc::clone(&end);
                std::thread::spawn(move || behave(manner, stream, &end));
            }
        });
        Self { port, _refusing: None, open, accepted, _ends: Some(ends) }
    }

    /// Where.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Waits until one more connection was taken.
    pub(crate) fn wait_for_connection(&self) {
        let accepted = self.accepted.lock().expect("no panic before");
        accepted.recv_timeout(Duration::from_mins(1)).expect("a connection");
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        for stream in self.open.lock().expect("no panic before").drain(..) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

fn behave(manner: Manner, mut stream: TcpStream, end: &Mutex<Receiver<()>>) {
    let mut bytes = [0; 4096];
    match manner {
        Manner::Silent => while stream.read(&mut bytes).is_ok_and(|count| count > 0) {},
        Manner::Slow => {
            // A request for a password of 65,535 bytes: it is what it should be, and takes two hours.
            let begins = [b'R', 0, 0, 0xff, 0xff, 0, 0, 0, 5];
            for byte in begins.iter().chain(std::iter::repeat(&b'x')) {
                let pause = end.lock().expect("no panic before").recv_timeout(PAUSE);
                if pause != Err(RecvTimeoutError::Timeout) || stream.write_all(&[*byte]).is_err() {
                    break;
                }
            }
        }
        Manner::Http => {
            let _ = stream.read(&mut bytes);
            let _ = stream.write_all(
                b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
        Manner::Greeting => {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2p1\r\n");
            while stream.read(&mut bytes).is_ok_and(|count| count > 0) {}
        }
        Manner::Closing | Manner::Refusing => {}
    }
    let _ = stream.shutdown(std::net::Shutdown::Both);
}
