//! The few pages that the program itself writes. Static words only; nothing from outside is shown.

use super::failure::{FRESH_LINK, Failure};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};

/// The look of these pages. The policy allows no style inside a page.
pub(super) const STYLE_PATH: &str = "/plain.css";
/// See [`STYLE_PATH`].
pub(super) const STYLE: &str = include_str!("plain.css");

/// A link that does not open, with the way to one that does.
pub(super) fn not_opened() -> Response {
    let title = "This link does not open DBeast";
    let why = "Each link opens once and within ten minutes. This one was used, is too old, or was \
        replaced by newer ones.";
    page(StatusCode::FORBIDDEN, title, &[why, FRESH_LINK])
}

/// A link that something other than the person's own click wanted to open.
pub(super) fn not_clicked() -> Response {
    let title = "This link was not opened";
    let why = "Something wanted to load it in advance or inside another page. It was not used up.";
    let what = "Open the link itself in the address bar of the browser.";
    page(StatusCode::FORBIDDEN, title, &[why, what])
}

/// A link that a program of another user of this computer wanted to open.
pub(super) fn not_yours() -> Response {
    let title = "This link was not opened";
    let why = "It was asked for by a program of another user of this computer. It was not used up.";
    let what = "Open it in a browser that runs as the user who started DBeast.";
    page(StatusCode::FORBIDDEN, title, &[why, what])
}

/// What stands at `/` in a program that was built without its interface.
pub(super) fn no_interface() -> Response {
    let title = "This build of DBeast has no interface";
    let why = "It was built without the feature `ui`. Agents can connect, but there is nothing \
        here to decide with.";
    let what = "Build it again with the default features: cargo build --release. That needs \
        Node.js 20.19 or newer (or 22.12 or newer) with npm.";
    page(StatusCode::OK, title, &[why, what])
}

/// A refused call as a page, for what a browser opens by itself.
pub(super) fn of_failure(failure: &Failure) -> Response {
    page(failure.status, "DBeast did not answer this", &[&failure.message, &failure.hint])
}

fn page(status: StatusCode, title: &str, paragraphs: &[&str]) -> Response {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"{STYLE_PATH}\">\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    for paragraph in paragraphs {
        html.push_str("<p>");
        html.push_str(paragraph);
        html.push_str("</p>\n");
    }
    html.push_str("</main>\n</body>\n</html>\n");
    (status, Html(html)).into_response()
}
