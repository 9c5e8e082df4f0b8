//! Agent connections and their sessions.

use super::Inside;
use super::body::{Body, Id};
use super::failure::Failure;
use super::text;
use crate::effects::ids;
use crate::events::{ClientEvent, SessionEvent};
use crate::ids::{ClientId, SessionId};
use crate::secret::Secret;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name under which agents know the server.
const SERVER_NAME: &str = "dbeast";

/// The body of the call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewConnection {
    label: String,
}

/// The only answer that ever holds a token.
#[derive(Serialize)]
pub(super) struct Created {
    client_id: ClientId,
    token: String,
    mcp_url: String,
    configurations: [Configuration; 6],
}

/// How one agent is told about the connection.
#[derive(Serialize)]
struct Configuration {
    client: &'static str,
    title: &'static str,
    kind: &'static str,
    file: Option<&'static str>,
    text: String,
}

/// `POST /api/clients`: the only time the token is shown.
pub(super) async fn create(
    State(inside): State<Inside>,
    Body(new): Body<NewConnection>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let store = &inside.door.store;
    let label = text::label("label", &new.label)?;
    let port = store.state().server.port.ok_or_else(|| {
        Failure::new(
            StatusCode::CONFLICT,
            "server_stopped",
            "The server for agents is stopped, so there is no address to connect to.",
            "Start it, then create the connection.",
        )
    })?;
    let (client, token) = (ids::client()?, ids::client_token()?);
    let token_hash = ids::hash_token(token.reveal());
    store.send(ClientEvent::Created { client: client.clone(), label, token_hash }).await?;
    let mcp_url = format!("http://127.0.0.1:{port}/mcp");
    let created = Created {
        client_id: client,
        configurations: configurations(&mcp_url, &token),
        token: token.reveal().to_owned(),
        mcp_url,
    };
    Ok((StatusCode::CREATED, Json(created)))
}

/// `DELETE /api/clients/{client_id}`: the token is dead from now on.
pub(super) async fn revoke(
    State(inside): State<Inside>,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    inside.door.store.send(ClientEvent::Revoked { client: ClientId::new(&id) }).await?;
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/sessions/{session_id}`.
pub(super) async fn end_session(
    State(inside): State<Inside>,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    inside.door.store.send(SessionEvent::Revoked { session: SessionId::new(&id) }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the person copies into each agent. Each agent wants the same two facts in its own form.
fn configurations(url: &str, token: &Secret) -> [Configuration; 6] {
    let bearer = format!("Bearer {}", token.reveal());
    let headers = json!({ "Authorization": bearer });
    let plain = json!({ "url": url, "headers": headers });
    let typed = json!({ "type": "http", "url": url, "headers": headers });
    let gemini = json!({ "httpUrl": url, "headers": headers });
    [
        Configuration {
            client: "claude_code",
            title: "Claude Code",
            kind: "command",
            file: None,
            text: format!(
                "claude mcp add --transport http {SERVER_NAME} {url} --header \"Authorization: {bearer}\""
            ),
        },
        Configuration::file(
            ("cursor", "Cursor", "~/.cursor/mcp.json"),
            in_servers("mcpServers", &plain),
        ),
        Configuration::file(
            ("vs_code", "VS Code", ".vscode/mcp.json"),
            in_servers("servers", &typed),
        ),
        Configuration::file(
            ("codex", "Codex", "~/.codex/config.toml"),
            format!(
                "[mcp_servers.{SERVER_NAME}]\nurl = \"{url}\"\n\
                 http_headers = {{ \"Authorization\" = \"{bearer}\" }}\n"
            ),
        ),
        Configuration::file(
            ("gemini_cli", "Gemini CLI", "~/.gemini/settings.json"),
            in_servers("mcpServers", &gemini),
        ),
        Configuration::file(
            ("other", "Another agent", "the agent's own MCP configuration"),
            in_servers("mcpServers", &plain),
        ),
    ]
}

impl Configuration {
    fn file(
        (client, title, file): (&'static str, &'static str, &'static str),
        text: String,
    ) -> Self {
        Self { client, title, kind: "file", file: Some(file), text }
    }
}

fn in_servers(key: &str, server: &Value) -> String {
    let whole = json!({ key: { SERVER_NAME: server } });
    format!("{whole:#}\n")
}

#[cfg(test)]
mod tests {
    use super::configurations;
    use crate::secret::Secret;

    #[test]
    fn every_configuration_carries_the_address_and_the_token_in_the_form_of_its_agent() {
        let token = Secret::new("dbeast_client_00".to_owned());
        let all = configurations("http://127.0.0.1:5/mcp", &token);
        for one in &all {
            assert!(one.text.contains("http://127.0.0.1:5/mcp"), "{}", one.client);
            assert!(one.text.contains("Bearer dbeast_client_00"), "{}", one.client);
            assert_eq!(one.file.is_none(), one.kind == "command");
        }
        let [claude, cursor, code, codex, gemini, _] = &all;
        assert_eq!(
            claude.text,
            "claude mcp add --transport http dbeast http://127.0.0.1:5/mcp \
             --header \"Authorization: Bearer dbeast_client_00\""
        );
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert!(json(&cursor.text)["mcpServers"]["dbeast"]["url"].is_string());
        assert_eq!(json(&code.text)["servers"]["dbeast"]["type"], "http");
        assert!(json(&gemini.text)["mcpServers"]["dbeast"]["httpUrl"].is_string());
        assert!(codex.text.starts_with("[mcp_servers.dbeast]\n"));
    }
}
