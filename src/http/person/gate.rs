//! What every call is checked for before anything else, and what every answer carries.

use super::failure::Failure;
use super::{Inside, page};
use crate::http::listener::Connection;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio_util::sync::CancellationToken;

/// The person's cookie.
pub(super) const COOKIE_NAME: &str = "dbeast_person";
/// Cookies of that name that are tried: another local server may have set one as well.
const COOKIES_TRIED_MAX: usize = 8;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Nothing is loaded, framed, sent or run but what this door itself serves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const PROTECTION: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who sent the call: whoever holds a cookie that lets in.
#[derive(Clone)]
pub(super) struct Holder {
    /// Cancelled when the cookie lets nobody in any more.
    pub(super) revoked: CancellationToken,
}

/// `Host`, `Origin` and `Sec-Fetch-Site` of every call, also of those for pages and files.
pub(super) async fn check(State(inside): State<Inside>, call: Request, next: Next) -> Response {
    let wrong = wrong_place(call.method(), call.uri(), call.headers(), inside.door.port);
    match wrong {
        None => next.run(call).await,
        Some(failure) if call.uri().path().contains("/api/") => failure.into_response(),
        Some(failure) => page::of_failure(&failure),
    }
}

/// The cookie of every call under `/api`. Nothing else lets in, least of all an agent's token.
pub(super) async fn admit(
    State(inside): State<Inside>,
    mut call: Request,
    next: Next,
) -> Result<Response, Failure> {
    let revoked = cookies(call.headers())
        .take(COOKIES_TRIED_MAX)
        .find_map(|cookie| inside.door.keys.admit(cookie))
        .ok_or_else(Failure::not_let_in)?;
    if let Some(connection) = call.extensions().get::<Connection>() {
        connection.trust();
    }
    call.extensions_mut().insert(Holder { revoked });
    Ok(next.run(call).await)
}

/// Headers of every answer. Only files whose name is their hash may be kept by the browser.
pub(super) async fn protect(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    for (name, value) in PROTECTION {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let may_be_kept = headers
        .get(CACHE_CONTROL)
        .is_some_and(|value| value.as_bytes() == super::assets::KEPT.as_bytes());
    if !may_be_kept {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if matches!(answer.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        // Whoever was refused shall not keep a connection for it.
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

fn wrong_place(method: &Method, uri: &Uri, headers: &HeaderMap, port: u16) -> Option<Failure> {
    let authority = format!("127.0.0.1:{port}");
    let host_is_ours = only(headers, &HOST).is_some_and(|host| host == authority.as_bytes());
    let target_is_ours = uri.authority().is_none_or(|target| target.as_str() == authority);
    if !host_is_ours || !target_is_ours {
        return Some(Failure::wrong_host(&authority));
    }
    let origin = format!("http://{authority}");
    let origins_are_ours =
        headers.get_all(ORIGIN).iter().all(|value| value.as_bytes() == origin.as_bytes());
    let must_have_origin = method != Method::GET && method != Method::HEAD;
    if !origins_are_ours || (must_have_origin && !headers.contains_key(ORIGIN)) {
        return Some(Failure::wrong_origin(&origin));
    }
    let sites_are_ours = headers
        .get_all(SEC_FETCH_SITE)
        .iter()
        .all(|value| matches!(value.as_bytes(), b"same-origin" | b"none"));
    (!sites_are_ours).then(|| Failure::wrong_origin(&origin))
}

/// The value of a header that is there exactly once.
fn only<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Option<&'headers [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then_some(value.as_bytes())
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value)
}
