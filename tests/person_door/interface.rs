//! The files of the interface.

use crate::support::desk;
use axum::http::Method;

#[tokio::test]
async fn the_page_at_the_root_needs_no_cookie_and_says_nothing_about_the_person() {
    let desk = desk().await;
    let answer = desk.send(desk.call(Method::GET, "/").without("cookie")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
    assert!(answer.headers.get("set-cookie").is_none());
    assert!(!answer.text.contains("<script>") && !answer.text.contains("style="));
}

#[cfg(not(feature = "ui"))]
#[tokio::test]
async fn a_build_without_interface_says_how_to_build_one() {
    let desk = desk().await;
    let answer = desk.get("/").await;
    assert!(answer.text.contains("no interface") && answer.text.contains("Node.js"));
    let style = desk.get("/plain.css").await;
    assert_eq!(style.headers["content-type"], "text/css; charset=utf-8");
}

#[cfg(feature = "ui")]
#[tokio::test]
async fn every_file_that_the_page_names_is_there_with_its_type() {
    let desk = desk().await;
    let page = desk.get("/").await.text;
    let named: Vec<&str> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(
        named.iter().any(|path| path.rsplit_once('.').is_some_and(|(_, end)| end == "js")),
        "{page}"
    );
    for path in named {
        let answer = desk.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let kind = answer.headers["content-type"].to_str().unwrap();
        let wanted = match path.rsplit_once('.').unwrap().1 {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{other}"),
        };
        assert_eq!(kind, wanted);
        assert_eq!(answer.headers["cache-control"], "private, max-age=31536000, immutable");
        let head = desk.send(desk.call(Method::HEAD, path)).await;
        assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    }
}
