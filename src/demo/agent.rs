//! The demonstration's agent: the official Rust MCP client over real HTTP.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value yields null, never a panic")]

use super::script::Surprise;
use crate::effects::ids;
use crate::reducer::read::POLL_WORK_MS;
use crate::secret::Secret;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};

/// How often a request is polled before the demonstration gives up: a minute, at the usual pace.
const POLLS_MAX: u32 = 300;

/// A connected agent.
pub(super) struct Agent {
    service: RunningService<RoleClient, ()>,
    session_token: Option<Secret>,
    /// Which protocol was spoken.
    pub(super) protocol: &'static str,
    /// How many tools it found.
    pub(super) tools: usize,
}

impl Agent {
    /// Connects without transport sessions, as the revision of 2026-07-28 wants.
    pub(super) async fn connect(url: &str, token: &Secret) -> Result<Self, Surprise> {
        let newest = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        Self::connect_as(url, token, newest, "MCP 2026-07-28, without sessions").await
    }

    /// Connects with the handshake of the earlier revisions.
    pub(super) async fn connect_older(url: &str, token: &Secret) -> Result<Self, Surprise> {
        Self::connect_as(url, token, ClientLifecycleMode::Initialize, "earlier MCP, with handshake")
            .await
    }

    async fn connect_as(
        url: &str,
        token: &Secret,
        lifecycle: ClientLifecycleMode,
        protocol: &'static str,
    ) -> Result<Self, Surprise> {
        let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(token.reveal());
        let transport = StreamableHttpClientTransport::from_config(config);
        let service = ()
            .serve_with_lifecycle(transport, lifecycle)
            .await
            .map_err(|error| Surprise::new(format!("the agent cannot connect: {error}")))?;
        let tools = service
            .list_all_tools()
            .await
            .map_err(|error| Surprise::new(format!("the agent cannot list tools: {error}")))?;
        Ok(Self { service, session_token: None, protocol, tools: tools.len() })
    }

    /// A fresh key for one intent.
    pub(super) fn fresh_key() -> Result<String, Surprise> {
        ids::request_key().map_err(|error| Surprise::new(error.to_string()))
    }

    /// Begins a session and keeps its token to itself.
    pub(super) async fn begin_session(&mut self, label: &str) -> Result<String, Surprise> {
        let begun = self.call("begin_session", json!({ "label": label })).await?;
        let token = begun["session_token"]
            .as_str()
            .ok_or_else(|| Surprise::new("begin_session gave no session_token"))?;
        self.session_token = Some(Secret::new(token.to_owned()));
        Ok(begun["session_id"].as_str().unwrap_or_default().to_owned())
    }

    /// Asks for a verified read.
    pub(super) async fn query(
        &self,
        source: &str,
        key: &str,
        sql: &str,
    ) -> Result<Value, Surprise> {
        let arguments = json!({ "source_id": source, "request_key": key, "sql": sql });
        self.call("query_sql", arguments).await
    }

    /// Asks for a read that must be refused.
    pub(super) async fn refused_query(
        &self,
        source: &str,
        key: &str,
        sql: &str,
    ) -> Result<Value, Surprise> {
        let arguments = json!({ "source_id": source, "request_key": key, "sql": sql });
        self.refused_call("query_sql", arguments).await
    }

    /// Polls until the request is over.
    pub(super) async fn await_end(&self, request: &str) -> Result<Value, Surprise> {
        for _ in 0..POLLS_MAX {
            let answer = self.call("get_request", json!({ "request_id": request })).await?;
            let status = answer["status"].as_str().unwrap_or_default();
            if status != "pending" && status != "running" {
                return Ok(answer);
            }
            let pause = answer["poll_after_ms"].as_u64().unwrap_or(POLL_WORK_MS);
            tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        }
        Err(Surprise::new("the request did not end"))
    }

    /// Calls a tool that must succeed.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Surprise> {
        let (is_error, answer) = self.raw_call(tool, arguments).await?;
        if is_error {
            return Err(Surprise::new(format!("{tool} was refused: {}", answer["error"])));
        }
        Ok(answer)
    }

    /// Calls a tool that must be refused.
    pub(super) async fn refused_call(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, Surprise> {
        let (is_error, answer) = self.raw_call(tool, arguments).await?;
        if is_error {
            return Ok(answer);
        }
        Err(Surprise::new(format!("{tool} should have been refused")))
    }

    async fn raw_call(&self, tool: &str, mut arguments: Value) -> Result<(bool, Value), Surprise> {
        if let (Some(token), Some(map)) = (&self.session_token, arguments.as_object_mut()) {
            map.insert("session_token".to_owned(), json!(token.reveal()));
        }
        let mut call = CallToolRequestParams::new(tool.to_owned());
        call.arguments = arguments.as_object().cloned();
        let result = self
            .service
            .call_tool(call)
            .await
            .map_err(|error| Surprise::new(format!("{tool} failed: {error}")))?;
        let answer = result
            .structured_content
            .ok_or_else(|| Surprise::new(format!("{tool} gave no structured answer")))?;
        Ok((result.is_error == Some(true), answer))
    }
}
