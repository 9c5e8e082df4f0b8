//! The demonstration's person: the same HTTP interface that the web page uses, over a real socket.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value yields null, never a panic")]

use super::script::Surprise;
use crate::secret::Secret;
use reqwest::{Client, Method, StatusCode, header, redirect};
use serde_json::{Value, json};

/// A person who came in by the one-time link.
pub(super) struct Person {
    http: Client,
    /// Scheme, address and port of the person's door.
    origin: String,
    /// The cookie that the link was exchanged for.
    cookie: Secret,
}

impl Person {
    /// Exchanges the one-time link for a cookie.
    pub(super) async fn enter(link: &Secret) -> Result<Self, Surprise> {
        let http = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(surprised)?;
        let origin = link
            .reveal()
            .find("/open/")
            .and_then(|end| link.reveal().get(..end))
            .ok_or_else(|| Surprise::new("the link is not of the expected form"))?
            .to_owned();
        let answer = http.get(link.reveal()).send().await.map_err(surprised)?;
        let cookie = answer
            .headers()
            .get(header::SET_COOKIE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .map(|value| Secret::new(value.to_owned()))
            .ok_or_else(|| Surprise::new("the link did not open the person's door"))?;
        let second = http.get(link.reveal()).send().await.map_err(surprised)?;
        if second.status() != StatusCode::FORBIDDEN {
            return Err(Surprise::new("the link opened the door twice"));
        }
        Ok(Self { http, origin, cookie })
    }

    /// What the person is shown about a request that waits for them.
    pub(super) async fn prompt(&self, request: &str) -> Result<Value, Surprise> {
        let snapshot = self.call(Method::GET, "/api/snapshot", None).await?;
        let prompt = snapshot["view"]["requests"][request].clone();
        if prompt["needs_decision"] == true {
            Ok(prompt)
        } else {
            Err(Surprise::new("the person was not asked"))
        }
    }

    /// Allows a request once.
    pub(super) async fn allow(&self, request: &str) -> Result<Value, Surprise> {
        let path = format!("/api/requests/{request}/allow");
        self.call(Method::POST, &path, Some(json!({}))).await
    }

    /// Denies a request with a reason.
    pub(super) async fn deny(&self, request: &str, note: &str) -> Result<Value, Surprise> {
        let path = format!("/api/requests/{request}/deny");
        self.call(Method::POST, &path, Some(json!({ "note": note }))).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, Surprise> {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.origin))
            .header(header::COOKIE, self.cookie.reveal())
            .header(header::ORIGIN, &self.origin);
        if let Some(body) = body {
            request =
                request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let answer = request.send().await.map_err(surprised)?;
        let status = answer.status();
        let text = answer.text().await.map_err(surprised)?;
        if !status.is_success() {
            return Err(Surprise::new(format!("{path} answered {status}")));
        }
        if text.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&text).map_err(|error| Surprise::new(error.to_string()))
    }
}

/// A fault of the HTTP client, without the address: it could hold the one-time key.
fn surprised(error: reqwest::Error) -> Surprise {
    Surprise::new(format!("the person's door cannot be reached: {}", error.without_url()))
}
