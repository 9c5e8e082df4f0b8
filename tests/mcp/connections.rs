//! The door at the level of connections: bodies that do not end, slots, odd requests, closing.

use super::guards::{PING, head};
use super::support::{World, raw};
use dbeast::http::listener::CONNECTIONS_MAX;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn an_endless_chunked_body_is_answered_at_the_limit() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let start = head(address, &agent, "Transfer-Encoding: chunked\r\n");
    stream.write_all(start.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(4096));
    let mut status = [0_u8; 12];
    // Writes until the door closes. The answer came before that and is there to be read.
    let write = async { while writing.write_all(chunk.as_bytes()).await.is_ok() {} };
    let (read, ()) = tokio::join!(reading.read_exact(&mut status), write);
    read.unwrap();
    assert_eq!(&status, b"HTTP/1.1 413");
}

#[tokio::test]
async fn the_seventeenth_request_at_the_same_time_is_refused_not_queued() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let body = format!("Content-Length: {}\r\nConnection: close\r\n", PING.len());
    let slow = head(address, &agent, &format!("Expect: 100-continue\r\n{body}"));
    let mut held = Vec::new();
    for _ in 0..16 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(slow.as_bytes()).await.unwrap();
        // The door asks for the body: it holds a slot for this one.
        let mut asked = [0_u8; 25];
        stream.read_exact(&mut asked).await.unwrap();
        assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
        held.push(stream);
    }
    let one_more = head(address, &agent, &body) + PING;
    let refused = raw(address, one_more.as_bytes()).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
    assert!(refused.ends_with("\r\n\r\n"), "{refused}");
    // Without a token it is still a 401: slots say nothing to strangers.
    let stranger = raw(address, one_more.replace(&agent.token, "x").as_bytes()).await;
    assert!(stranger.starts_with("HTTP/1.1 401 "), "{stranger}");

    let mut first = held.pop().unwrap();
    first.write_all(PING.as_bytes()).await.unwrap();
    let mut answer = String::new();
    first.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let served = raw(address, one_more.as_bytes()).await;
    assert!(served.starts_with("HTTP/1.1 200 "), "{served}");
}

#[tokio::test]
async fn closing_the_door_ends_idle_connections_and_returns() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let world = World::start().await;
    let shutdown = CancellationToken::new();
    let door = dbeast::http::mcp::serve(listener, world.router.clone(), shutdown.clone());
    let door = tokio::spawn(door);
    let mut idle = TcpStream::connect(address).await.unwrap();
    idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut status = [0_u8; 12];
    idle.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 403");
    shutdown.cancel();
    door.await.unwrap().unwrap();
    let mut rest = Vec::new();
    let _ = idle.read_to_end(&mut rest).await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn odd_requests_are_refused_without_a_token_and_harmless_with_one() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let token = format!("Authorization: Bearer {}\r\n", agent.token);
    let cases = [
        (format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n"), "401", "404"),
        (format!("OPTIONS * HTTP/1.1\r\nHost: {address}\r\n"), "401", "404"),
        (format!("GET /mcp HTTP/1.0\r\nHost: {address}\r\n"), "401", "405"),
        ("GET /mcp HTTP/1.0\r\n".to_owned(), "403", "403"),
        (format!("GET /%6dcp HTTP/1.1\r\nHost: {address}\r\n"), "401", "404"),
    ];
    for (start, without, with) in cases {
        for (token, status) in [("", without), (&*token, with)] {
            let bytes = format!("{start}{token}Connection: close\r\n\r\n");
            let answer = raw(address, bytes.as_bytes()).await;
            let line = answer.lines().next().unwrap_or_default();
            assert!(
                line.ends_with(status) || line.contains(&format!(" {status} ")),
                "{start}: {line}"
            );
        }
    }
}

/// One ping on a connection that stays open; its status line.
async fn ping(stream: &mut TcpStream, call: &str) -> String {
    stream.write_all(format!("{call}{PING}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    while !answer.contains("\"result\":{}}") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        assert_ne!(count, 0, "the connection was closed: {answer}");
        answer.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
    }
    answer.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn connections_that_show_no_key_shut_nobody_out() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let call = head(address, &agent, &format!("Content-Length: {}\r\n", PING.len()));
    let mut known = TcpStream::connect(address).await.unwrap();
    assert!(ping(&mut known, &call).await.starts_with("HTTP/1.1 200"));

    // Twice as many strangers as there are places, each of whom sends half a head and waits.
    let mut strangers = Vec::new();
    for _ in 0..2 * CONNECTIONS_MAX {
        let mut stranger = TcpStream::connect(address).await.unwrap();
        stranger.write_all(b"POST /mcp HTTP/1.1\r\nHost: ").await.unwrap();
        strangers.push(stranger);
    }
    let mut fresh = TcpStream::connect(address).await.unwrap();
    assert!(ping(&mut fresh, &call).await.starts_with("HTTP/1.1 200"));
    assert!(ping(&mut known, &call).await.starts_with("HTTP/1.1 200"), "a known one gave way");
    let mut first = strangers.remove(0);
    let ended = first.read(&mut [0; 1]).await;
    assert!(matches!(ended, Ok(0) | Err(_)), "the oldest stranger did not give way: {ended:?}");
}

#[tokio::test]
async fn whoever_is_refused_does_not_keep_the_connection() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let call = head(address, &agent, &format!("Content-Length: {}\r\n", PING.len())) + PING;
    let wrong = call.replace(&agent.token, "wrong");
    // `raw` reads to the end of the connection: it would not come back from one that stays open.
    let refused = raw(address, wrong.repeat(3).as_bytes()).await;
    assert_eq!(refused.matches("HTTP/1.1 401").count(), 1, "{refused}");
}
