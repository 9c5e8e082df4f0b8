//! The guard: each single fault, and the ways around it.

use super::support::{Agent, PORT, World, raw, request, send};
use axum::body::{Body, Bytes};
use http::{HeaderMap, Response};
use std::convert::Infallible;
use std::net::SocketAddr;

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const LIMIT: usize = 256 * 1024;

/// `Host`, `Authorization`, `Origin`, body; and the status they lead to.
type Case<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a str, u16);

fn says_nothing(response: &Response<Vec<u8>>) {
    let headers: &HeaderMap = response.headers();
    assert!(response.body().is_empty(), "a refusal has no words");
    for name in headers.keys() {
        let name = name.as_str();
        let expected =
            ["cache-control", "connection", "content-length", "www-authenticate", "retry-after"];
        let is_expected = expected.contains(&name);
        assert!(is_expected, "unexpected header {name}");
    }
}

pub(crate) fn head(address: SocketAddr, agent: &Agent, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{more}\r\n",
        agent.token
    )
}

#[tokio::test]
async fn each_single_fault_has_its_status_and_no_detail() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let right = format!("Bearer {}", agent.token);
    let long = "x".repeat(300 * 1024);
    let host = format!("127.0.0.1:{PORT}");
    let cases: [Case<'_>; 6] = [
        (&host, None, None, PING, 401),
        (&host, Some("Bearer wrong"), None, PING, 401),
        (&host, Some(&right), Some("null"), PING, 403),
        ("evil.example", Some(&right), None, PING, 403),
        (&host, Some(&right), None, &long, 413),
        (&host, Some(&right), None, PING, 200),
    ];
    for (host, authorization, origin, body, status) in cases {
        let mut request = request("POST", "/mcp");
        let headers = request.headers_mut().unwrap();
        headers.insert("Host", host.parse().unwrap());
        headers.insert("Content-Length", body.len().into());
        if let Some(authorization) = authorization {
            headers.insert("Authorization", authorization.parse().unwrap());
        }
        if let Some(origin) = origin {
            headers.insert("Origin", origin.parse().unwrap());
        }
        let response = send(&world.router, request.body(body.to_owned()).unwrap()).await;
        assert_eq!(response.status(), status);
        if status != 200 {
            says_nothing(&response);
        }
    }
}

#[tokio::test]
async fn the_same_five_faults_over_a_real_connection() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let close = "Connection: close\r\n";
    let right = head(address, &agent, close);
    let bearer = format!("Authorization: Bearer {}\r\n", agent.token);
    let long = "x".repeat(300 * 1024);
    let with_length = |text: String, body: &str| {
        text.replace("\r\n\r\n", &format!("\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
    };
    let cases = [
        (with_length(right.replace(&bearer, ""), PING), "401"),
        (with_length(right.replace(&agent.token, "wrong"), PING), "401"),
        (with_length(right.replace(close, "Connection: close\r\nOrigin: null\r\n"), PING), "403"),
        (with_length(right.replace(&address.to_string(), "evil.example"), PING), "403"),
        (with_length(right.clone(), &long), "413"),
        (with_length(right.replace(&bearer, ""), &long), "413"),
        (with_length(right.clone(), PING), "200"),
    ];
    for (bytes, status) in cases {
        let answer = raw(address, bytes.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {answer}");
        let is_empty = answer.ends_with("\r\n\r\n");
        assert_eq!(is_empty, status != "200", "{answer}");
    }
}

#[tokio::test]
async fn only_the_exact_host_is_served() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let port = address.port();
    let wrong = [
        String::new(),
        format!("Host: {address}\r\nHost: {address}\r\n"),
        format!("Host: localhost:{port}\r\n"),
        format!("Host: LOCALHOST:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1.:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}.\r\n"),
        format!("Host: 127.0.0.1:0{port}\r\n"),
        format!("Host: 127.1:{port}\r\n"),
        format!("Host: user@127.0.0.1:{port}\r\n"),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: 127.0.0.1:{}\r\n", port.wrapping_add(1)),
        "Host:\r\n".to_owned(),
        format!("Host: evil.example, {address}\r\n"),
    ];
    let lines = format!("Authorization: Bearer {}\r\nConnection: close\r\n\r\n", agent.token);
    for host in wrong {
        let answer = raw(address, format!("GET /mcp HTTP/1.1\r\n{host}{lines}").as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
    }
    let targets = [
        ("http://evil.example/mcp", "403"),
        (&*format!("http://localhost:{port}/mcp"), "403"),
        (&*format!("http://user@{address}/mcp"), "403"),
        (&*format!("http://{address}/mcp"), "405"),
        ("/mcp", "405"),
    ];
    for (target, status) in targets {
        let bytes = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n{lines}");
        let answer = raw(address, bytes.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{target}: {answer}");
    }
}

#[tokio::test]
async fn no_origin_is_served_not_even_our_own() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let own = format!("http://127.0.0.1:{PORT}");
    for origins in
        [vec!["null"], vec![""], vec![&*own], vec![&*own, &*own], vec!["https://a.example"]]
    {
        let mut request =
            request("POST", "/mcp").header("Authorization", format!("Bearer {}", agent.token));
        for origin in origins {
            request = request.header("Origin", origin);
        }
        let response = send(&world.router, request.body(PING).unwrap()).await;
        assert_eq!(response.status(), 403);
        says_nothing(&response);
    }
}

#[tokio::test]
async fn without_the_right_token_everything_is_the_same_401() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let token = &agent.token;
    let bearer = format!("Bearer {token}");
    let upper = token.to_ascii_uppercase();
    let wrong: Vec<Vec<String>> = vec![
        vec![],
        vec![String::new()],
        vec!["Bearer".to_owned()],
        vec!["Bearer ".to_owned()],
        vec![token.clone()],
        vec![format!("Bearer  {token}")],
        vec![format!("Bearer\t{token}")],
        vec![format!("Bearer {token} x")],
        vec![format!("Bearer {token},")],
        vec![format!("Bearer {upper}")],
        vec![format!("Bearer {}", &token[..token.len() - 1])],
        vec![format!("Basic {token}")],
        vec![format!("Bearer {}", "a".repeat(100_000))],
        vec![bearer.clone(), bearer.clone()],
        vec![bearer.clone(), "Bearer wrong".to_owned()],
        vec!["Bearer wrong".to_owned(), bearer.clone()],
    ];
    let mut seen: Option<Response<Vec<u8>>> = None;
    for values in wrong {
        let mut request = request("POST", "/mcp");
        for value in &values {
            request = request.header("Authorization", value);
        }
        let response = send(&world.router, request.body(PING).unwrap()).await;
        assert_eq!(response.status(), 401, "{values:?}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        says_nothing(&response);
        let first = seen.get_or_insert_with(|| response.clone());
        assert_eq!(first.headers(), response.headers());
    }
    for scheme in ["bearer", "BEARER", "Bearer"] {
        let request = request("POST", "/mcp").header("Authorization", format!("{scheme} {token}"));
        assert_eq!(send(&world.router, request.body(PING).unwrap()).await.status(), 200);
    }
}

#[tokio::test]
async fn every_path_and_method_needs_the_token_and_no_other_place_holds_it() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let token = &agent.token;
    let query = format!("/mcp?token={token}&access_token={token}");
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"] {
        for path in
            ["/mcp", "/mcp/", "/", "/health", "/.well-known/oauth-protected-resource", &query]
        {
            let request = request(method, path)
                .header("Cookie", format!("token={token}"))
                .header("X-Api-Key", token);
            let response = send(&world.router, request.body("").unwrap()).await;
            assert_eq!(response.status(), 401, "{method} {path}");
            says_nothing(&response);
        }
    }
    let with_token = |method: &str, path: &str| {
        request(method, path).header("Authorization", format!("Bearer {token}")).body("").unwrap()
    };
    for (method, path, status) in [
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("OPTIONS", "/mcp", 405),
        ("GET", "/", 404),
        ("POST", "/mcp/", 404),
        ("POST", "//mcp", 404),
        ("POST", "/other", 404),
    ] {
        let response = send(&world.router, with_token(method, path)).await;
        assert_eq!(response.status(), status, "{method} {path}");
        for name in ["location", "set-cookie", "access-control-allow-origin", "vary", "server"] {
            assert!(!response.headers().contains_key(name), "{name}");
        }
    }
}

#[tokio::test]
async fn a_revoked_connection_and_the_token_of_a_session_open_nothing() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let session = world.begin(&agent).await;
    let ask = async |token: &str| {
        let request = request("POST", "/mcp").header("Authorization", format!("Bearer {token}"));
        send(&world.router, request.body(PING).unwrap()).await.status().as_u16()
    };
    assert_eq!(ask(&session).await, 401);
    assert_eq!(ask(&agent.token).await, 200);
    world.happens(dbeast::events::ClientEvent::Revoked { client: agent.client.clone() }).await;
    assert_eq!(ask(&agent.token).await, 401);
}

fn chunks(bytes: usize) -> Body {
    let chunk = Bytes::from(vec![b' '; 1024]);
    let stream = futures_util::stream::iter(
        (0..bytes / 1024).map(move |_| Ok::<_, Infallible>(chunk.clone())),
    );
    Body::from_stream(stream)
}

#[tokio::test]
async fn a_body_without_a_length_is_counted_while_it_is_read() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let right = format!("Bearer {}", agent.token);
    // 415 is what the protocol says to a body of spaces: it came through the guard.
    for (bytes, authorization, status) in
        [(LIMIT, Some(&right), 415), (LIMIT + 1024, Some(&right), 413), (LIMIT + 1024, None, 401)]
    {
        let mut request = request("POST", "/mcp");
        if let Some(authorization) = authorization {
            request = request.header("Authorization", authorization);
        }
        let response = send(&world.router, request.body(chunks(bytes)).unwrap()).await;
        assert_eq!(response.status(), status, "{bytes}");
    }
}

#[tokio::test]
async fn a_connection_revoked_while_its_call_arrives_gets_nothing() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"begin_session"}}"#;
    let (arrive, arrived) = tokio::sync::oneshot::channel::<()>();
    let (ask, asked) = tokio::sync::oneshot::channel();
    let body = futures_util::stream::once(async move {
        // The guard has let the token pass and now reads.
        ask.send(()).unwrap();
        arrived.await.unwrap();
        Ok::<_, Infallible>(Bytes::from_static(call.as_bytes()))
    });
    let request = request("POST", "/mcp")
        .header("Authorization", format!("Bearer {}", agent.token))
        .body(Body::from_stream(body))
        .unwrap();
    let router = world.router.clone();
    let sent = tokio::spawn(async move { send(&router, request).await });
    asked.await.unwrap();
    world.happens(dbeast::events::ClientEvent::Revoked { client: agent.client.clone() }).await;
    arrive.send(()).unwrap();
    let response = sent.await.unwrap();
    let answer: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "session_expired");
    assert!(world.store.state().sessions.is_empty());
}
