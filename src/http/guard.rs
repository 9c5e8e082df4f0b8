//! Checks that both doors share: `Host`, `Origin`, sizes, times, tokens.
//!
//! Contract, "Client connection" and "Limits". Every refusal is a bare status: no words, no detail,
//! no redirect, no cookie, no CORS header. What never lives here: rules about sessions and
//! requests. Start with [`agents`], which is the whole order of the agents' checks.

use super::listener::Connection;
use crate::ids::ClientId;
use crate::secret::{Secret, TokenHash};
use crate::store::Store;
use crate::time::Duration;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, HOST, ORIGIN, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use http_body_util::BodyExt;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Body of one request, with or without `Content-Length` (contract, "Limits").
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// Time in which the head of a request, and then its body, must have arrived (contract, "Limits").
pub const ACCEPT_TIME: Duration = Duration::seconds(10);
/// Requests that are worked on at the same time. One more is refused, never queued (contract,
/// "Limits").
pub const REQUESTS_MAX: usize = 16;
/// Longest token that is hashed. Ours: ours have 78 characters.
const TOKEN_BYTES_MAX: usize = 256;
/// What is read and thrown away of a body that was refused, so that its sender can read the
/// answer instead of a broken connection. Ours.
const DRAIN_BYTES_MAX: usize = 2 * BODY_BYTES_MAX;
/// How long that may take. Ours.
const DRAIN_TIME: Duration = Duration::seconds(2);

/// A refusal at the door: a status and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Another host, or a web page.
    Forbidden,
    /// No token, or one that opens nothing. Always the same bytes.
    Unauthorized,
    /// More than [`BODY_BYTES_MAX`].
    TooLarge,
    /// The body did not arrive in time.
    TooSlow,
    /// The body broke off.
    Broken,
    /// As many requests are being worked on as may be.
    Busy,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::Forbidden => StatusCode::FORBIDDEN.into_response(),
            Self::Unauthorized => {
                (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")]).into_response()
            }
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT.into_response(),
            Self::Broken => StatusCode::BAD_REQUEST.into_response(),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "1")]).into_response(),
        }
    }
}

/// What the agents' guard needs.
#[derive(Clone)]
pub struct Gate {
    store: Store,
    /// The only `Host` there is.
    authority: Arc<str>,
    /// One permit for each request that is being worked on.
    slots: Arc<Semaphore>,
}

impl Gate {
    /// A gate for the door on this port.
    #[must_use]
    pub fn new(store: Store, port: u16) -> Self {
        let slots = Arc::new(Semaphore::new(REQUESTS_MAX));
        Self { store, authority: authority(port).into(), slots }
    }
}

/// The agents' guard, around every path and method. The order is part of the rules: what costs
/// nothing and says nothing comes first; a declared size before the token, so that it is refused
/// unread; the token before a slot and before the first byte of the body, so that nobody without
/// one can hold either. Behind it, the request carries a [`ClientId`] and no token.
pub async fn agents(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Connection>().cloned();
    let mut response = match admit(&gate, request).await {
        Ok((request, slot)) => {
            if let Some(connection) = connection {
                connection.trust();
            }
            let response = next.run(request).await;
            drop(slot);
            response
        }
        Err(refused) => {
            let mut response = refused.into_response();
            // Whoever was refused shall not keep a connection for it.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn admit(
    gate: &Gate,
    request: Request,
) -> Result<(Request, tokio::sync::OwnedSemaphorePermit), Refused> {
    let (mut parts, body) = request.into_parts();
    let client = match check_head(gate, &parts.uri, &parts.headers) {
        Ok(client) => client,
        Err(refused) => return Err(drain(body, refused)),
    };
    // The place for rates per client and in all: here it is known whose request it is, and nothing
    // of its body was read.
    let Ok(slot) = gate.slots.clone().try_acquire_owned() else {
        return Err(drain(body, Refused::Busy));
    };
    let bytes = read_body(body, ACCEPT_TIME).await?;
    parts.headers.remove(AUTHORIZATION);
    parts.extensions.insert(client);
    Ok((Request::from_parts(parts, Body::from(bytes)), slot))
}

fn check_head(gate: &Gate, uri: &Uri, headers: &HeaderMap) -> Result<ClientId, Refused> {
    if !host_is(uri, headers, &gate.authority) || has_origin(headers) {
        return Err(Refused::Forbidden);
    }
    if declares_too_much(headers) {
        return Err(Refused::TooLarge);
    }
    bearer(headers)
        .and_then(|token| gate.store.state().client_of(&hash(&token)).cloned())
        .ok_or(Refused::Unauthorized)
}

fn hash(token: &Secret) -> TokenHash {
    crate::effects::ids::hash_token(token.reveal())
}

/// The one authority under which a door on this port answers.
#[must_use]
pub fn authority(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// Whether the request is for exactly this authority: one `Host` header with these bytes, and the
/// same in the request target where that names one. Stops DNS rebinding.
#[must_use]
pub fn host_is(uri: &Uri, headers: &HeaderMap, authority: &str) -> bool {
    only(headers, &HOST).is_some_and(|host| host.as_bytes() == authority.as_bytes())
        && uri.authority().is_none_or(|target| target.as_str() == authority)
}

/// Whether the request says that a web page sent it, whatever the value is.
#[must_use]
pub fn has_origin(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN)
}

/// Whether the request announces a body above [`BODY_BYTES_MAX`].
#[must_use]
pub fn declares_too_much(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_LENGTH).iter().any(|length| {
        let length = length.to_str().ok().and_then(|text| text.trim().parse::<u64>().ok());
        length.is_none_or(|length| length > BODY_BYTES_MAX as u64)
    })
}

/// The token of exactly one `Authorization: Bearer <token>`; the scheme in any case.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let (scheme, token) = only(headers, &AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let is_token = (1..=TOKEN_BYTES_MAX).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("Bearer") && is_token).then(|| Secret::new(token.to_owned()))
}

/// The value of a header that is there exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &http::HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

/// Reads a body of at most [`BODY_BYTES_MAX`] within a time; reading stops at the limit.
pub async fn read_body(mut body: Body, within: Duration) -> Result<Bytes, Refused> {
    let read = tokio::time::timeout(within.to_std(), collect(&mut body)).await;
    match read.unwrap_or(Err(Refused::TooSlow)) {
        Err(Refused::TooLarge) => Err(drain(body, Refused::TooLarge)),
        read => read,
    }
}

async fn collect(body: &mut Body) -> Result<Bytes, Refused> {
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refused::Broken)?;
        let Some(data) = frame.data_ref() else { continue };
        if data.len() > BODY_BYTES_MAX.saturating_sub(read.len()) {
            return Err(Refused::TooLarge);
        }
        read.extend_from_slice(data);
    }
    Ok(Bytes::from(read))
}

/// Reads on for a moment and keeps nothing. A server that closes with unread bytes resets the
/// connection, and the refusal may be lost on its way.
fn drain(mut body: Body, refused: Refused) -> Refused {
    if !body.is_end_stream() {
        tokio::spawn(tokio::time::timeout(DRAIN_TIME.to_std(), async move {
            let mut read = 0_usize;
            while let Some(Ok(frame)) = body.frame().await {
                read = read.saturating_add(frame.data_ref().map_or(0, Bytes::len));
                if read > DRAIN_BYTES_MAX {
                    break;
                }
            }
        }));
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::{Refused, read_body};
    use crate::time::Duration;
    use axum::body::{Body, Bytes};
    use futures_util::{StreamExt, stream};
    use std::io;

    #[tokio::test]
    async fn a_body_that_stops_arriving_is_too_slow() {
        let first = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"{"))]);
        let body = Body::from_stream(first.chain(stream::pending()));
        assert_eq!(read_body(body, Duration(20)).await, Err(Refused::TooSlow));
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_refused() {
        let body = Body::from_stream(stream::iter([Err::<Bytes, _>(io::Error::other("cut"))]));
        assert_eq!(read_body(body, Duration::seconds(10)).await, Err(Refused::Broken));
    }
}
