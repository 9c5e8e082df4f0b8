//! Getting in: links, cookies, and what does not open the door.

use crate::support::{Answer, desk};
use axum::http::Method;

#[track_caller]
fn is_closed(answer: &Answer) {
    assert_eq!(answer.status, 403);
    assert!(answer.headers.get("set-cookie").is_none());
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
}

#[tokio::test]
async fn a_link_opens_once_and_gives_a_cookie_that_scripts_and_other_sites_cannot_use() {
    let desk = desk().await;
    let link = desk.link();
    let answer = desk.send(desk.call(Method::GET, &link).without("cookie")).await;
    assert_eq!(answer.status, 303);
    let place = answer.headers["location"].to_str().unwrap().to_owned();
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    let (value, rest) = cookie.split_once(';').unwrap();
    assert_eq!(rest, format!(" HttpOnly; SameSite=Strict; Path={place}"));
    let secret = place.strip_prefix("/at/").and_then(|rest| rest.strip_suffix('/')).unwrap();
    assert!(secret.len() == 64 && !cookie.starts_with(&format!("dbeast_person={secret}")));
    assert!(!link.contains(value.split_once('=').unwrap().1), "the link's key is not the cookie");

    let answer = desk.send(desk.call(Method::GET, &link)).await;
    is_closed(&answer);
    assert!(answer.text.contains("fresh link") && answer.text.contains("terminal"));
    let there = desk.call(Method::GET, &format!("{place}api/snapshot"));
    assert_eq!(desk.send(there.instead("cookie", value)).await.status, 200);
    let page = desk.call(Method::GET, &place).without("cookie");
    assert_eq!(desk.send(page).await.text, desk.get("/").await.text);
    let there = desk.call(Method::GET, &format!("{place}api/snapshot")).without("cookie");
    desk.send(there).await.is(401, "not_let_in");
    desk.get(&format!("{place}nothing")).await.is(404, "unknown_path");
    let (client, _) = desk.client().await;
    assert_eq!(desk.delete(&format!("{place}api/clients/{client}")).await.status, 204);
}

#[tokio::test]
async fn expired_replaced_and_invented_links_do_not_open() {
    let desk = desk().await;
    let links: Vec<String> = (0..5).map(|_| desk.link()).collect();
    let (first, last) = (&links[0], &links[4]);
    is_closed(&desk.get(first).await);
    desk.pass(10 * 60 * 1_000);
    is_closed(&desk.get(last).await);
    for key in ["x", &"0".repeat(64), &"x".repeat(5_000), "%FF", "%00"] {
        is_closed(&desk.get(&format!("/open/{key}")).await);
    }
}

#[tokio::test]
async fn what_loads_a_link_without_the_person_does_not_use_it_up() {
    let desk = desk().await;
    let link = desk.link();
    for (name, value) in [
        ("purpose", "prefetch"),
        ("sec-purpose", "prefetch"),
        ("sec-purpose", "prefetch;prerender"),
        ("x-moz", "prefetch"),
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "http://127.0.0.1:3000"),
    ] {
        is_closed(&desk.send(desk.call(Method::GET, &link).with(name, value)).await);
    }
    is_closed(&desk.send(desk.call(Method::GET, &link).instead("host", "localhost:4711")).await);
    for method in [Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let answer = desk.send(desk.call(method.clone(), &link)).await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.headers.get("set-cookie").is_none());
    }
    let by_hand = desk
        .call(Method::GET, &link)
        .with("sec-fetch-site", "none")
        .with("sec-fetch-mode", "navigate")
        .with("sec-fetch-dest", "document");
    assert_eq!(desk.send(by_hand).await.status, 303);
}

#[tokio::test]
async fn only_a_cookie_of_a_link_lets_in() {
    let desk = desk().await;
    let (_, token) = desk.client().await;
    let value = desk.cookie.split_once('=').unwrap().1.to_owned();
    let hash = dbeast::effects::ids::hash_token(&value).to_hex();
    let wrong = [
        String::new(),
        "dbeast_person".to_owned(),
        "dbeast_person=".to_owned(),
        format!("dbeast_person={token}"),
        format!("dbeast_person={hash}"),
        format!("dbeast_person=\"{value}\""),
        format!("dbeast_person={}", &value[1..]),
        format!("dbeast_person={}", value.to_uppercase()),
        format!("DBEAST_PERSON={value}"),
        format!("other={value}"),
    ];
    for path in ["/api/snapshot", "/api/stream", "/api/nothing"] {
        desk.send(desk.call(Method::GET, path).without("cookie")).await.is(401, "not_let_in");
        for cookie in &wrong {
            let call = desk.call(Method::GET, path).instead("cookie", cookie);
            desk.send(call).await.is(401, "not_let_in");
        }
    }
    let mixed = format!("a=b; dbeast_person=of-another-port; {}", desk.cookie);
    let call = desk.call(Method::GET, "/api/snapshot").instead("cookie", &mixed);
    assert_eq!(desk.send(call).await.status, 200);
}

#[tokio::test]
async fn an_agents_token_opens_nothing() {
    let desk = desk().await;
    let (client, token) = desk.client().await;
    let bearer = format!("Bearer {token}");
    let body = serde_json::json!({});
    for (method, path) in [
        (Method::GET, "/api/snapshot"),
        (Method::GET, "/api/stream"),
        (Method::POST, "/api/stop-all"),
        (Method::POST, "/api/requests/req_1/allow"),
        (Method::DELETE, &format!("/api/clients/{client}")),
    ] {
        let call = desk.call(method, path).json(&body).without("cookie");
        desk.send(call.with("authorization", &bearer)).await.is(401, "not_let_in");
    }
    is_closed(&desk.get(&format!("/open/{token}")).await);
    assert!(desk.view().await["clients"].get(client).is_some());
}

#[tokio::test]
async fn a_ninth_browser_shuts_out_the_first() {
    let desk = desk().await;
    for _ in 0..7 {
        desk.enter().await;
    }
    assert_eq!(desk.get("/api/snapshot").await.status, 200);
    desk.enter().await;
    desk.get("/api/snapshot").await.is(401, "not_let_in");
}
