//! The door at the level of connections: bodies that do not end, slots, odd requests, closing.

use super::guards::{PING, head};
use super::support::{World, raw};
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
