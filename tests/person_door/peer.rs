//! Whose program opens the link. These need a real connection, which the kernel knows the owner of.
#![cfg(target_os = "linux")]

use crate::support::{Desk, desk};
use dbeast::http::person::{Door, serve};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A user that owns nothing.
const NOBODY: u32 = 65_534;

async fn listening(desk: &Desk) -> (u16, DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let shutdown = CancellationToken::new();
    tokio::spawn(serve(listener, Door { port, ..desk.door.clone() }, shutdown.clone()));
    (port, shutdown.drop_guard())
}

fn call(link: &str, port: u16) -> String {
    let (_, path) = link.split_once(&format!(":{port}")).unwrap();
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")
}

async fn opened_here(link: &str, port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(call(link, port).as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Asks in a shell of the other user, which connects by itself.
fn opened_by(user: u32, link: &str, port: u16) -> String {
    let script = "exec 3<>/dev/tcp/127.0.0.1/$0 && printf %s \"$1\" >&3 && cat <&3";
    let output = Command::new("bash")
        .args(["-c", script, &port.to_string(), &call(link, port)])
        .uid(user)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_for_the_user_who_runs_the_program() {
    let desk = desk().await;
    let (port, _open) = listening(&desk).await;
    let link = desk.keys.link(port).unwrap();
    let answer = opened_here(link.reveal(), port).await;
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
}

/// `scripts/test.sh` runs it where it can, and else counts it as skipped.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "only an administrator may start a program as another user"]
async fn a_link_that_another_user_saw_opens_nothing_for_them_and_stays_good() {
    let desk = desk().await;
    let (port, _open) = listening(&desk).await;
    let link = desk.keys.link(port).unwrap();
    let stolen = link.reveal().to_owned();
    let thief = tokio::task::spawn_blocking(move || opened_by(NOBODY, &stolen, port));
    let answer = thief.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert!(!answer.to_lowercase().contains("set-cookie"), "{answer}");
    let answer = opened_here(link.reveal(), port).await;
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
}
