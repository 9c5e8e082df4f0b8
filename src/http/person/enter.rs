//! Getting in: a one-time link is exchanged for a cookie.

use super::failure::Failure;
use super::gate::COOKIE_NAME;
use super::keys::{Entry, NotExchanged};
use super::{AT, Inside, page, peer};
use crate::effects::ids::NoRandomness;
use crate::http::listener::Connection;
use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{HeaderName, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

/// Characters of a key, with room to spare.
const KEY_BYTES_MAX: usize = 128;

/// A port may have belonged to another program before. Whatever it left in the browser for this
/// origin goes when the person gets in. It cannot help against a service worker that sees this very
/// call before it leaves the browser: that is why the port of the interface changes with each start
/// unless somebody fixes it.
const LEFT_BEHIND: (HeaderName, &str) = (HeaderName::from_static("clear-site-data"), "\"storage\"");

/// `GET /open/{key}`: burns the link, sets the cookie and goes to the place below which it is sent.
pub(super) async fn open(
    State(inside): State<Inside>,
    key: Result<Path<String>, PathRejection>,
    connection: Option<Extension<Connection>>,
    headers: HeaderMap,
) -> Response {
    if !is_opened_by_hand(&headers) {
        return page::not_clicked();
    }
    if let Some(Extension(connection)) = connection
        && peer::is_of_other_user(connection.peer(), inside.door.port).await
    {
        return page::not_yours();
    }
    let key = key.ok().map(|Path(key)| key).filter(|key| key.len() <= KEY_BYTES_MAX);
    match key.ok_or(NotExchanged::NotValid).and_then(|key| inside.door.keys.exchange(&key)) {
        Ok(Entry { cookie, place }) => {
            let place = format!("{AT}/{}/", place.reveal());
            let cookie = cookie.reveal();
            let cookie = format!("{COOKIE_NAME}={cookie}; HttpOnly; SameSite=Strict; Path={place}");
            let headers = [(SET_COOKIE, cookie), (LOCATION, place)];
            (StatusCode::SEE_OTHER, [LEFT_BEHIND], headers).into_response()
        }
        Err(NotExchanged::NotValid) => page::not_opened(),
        Err(NotExchanged::NoRandomness) => page::of_failure(&NoRandomness.into()),
    }
}

/// `HEAD /open/{key}`: programs that look at links must not use them up.
pub(super) async fn not_this_way() -> Failure {
    Failure::wrong_method()
}

/// Whether the browser opens the link as a page of its own, now. A browser that does not say is
/// believed; one that says otherwise is not.
fn is_opened_by_hand(headers: &HeaderMap) -> bool {
    let is_in_advance = ["purpose", "sec-purpose", "x-purpose", "x-moz"]
        .into_iter()
        .any(|name| headers.contains_key(name));
    let says_otherwise = |name, expected: &str| {
        headers.get_all(name).iter().any(|value| value.as_bytes() != expected.as_bytes())
    };
    !is_in_advance
        && !says_otherwise("sec-fetch-mode", "navigate")
        && !says_otherwise("sec-fetch-dest", "document")
}
