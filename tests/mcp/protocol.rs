//! Both generations of the protocol, with a real client over a real connection, and what the door
//! says about itself.

use super::support::{Agent, World, request, send};
use rmcp::model::{CacheScope, CallToolRequestParams, ProtocolVersion, Tool};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use std::net::SocketAddr;

const NAMES: [&str; 10] = [
    "begin_session",
    "list_catalog",
    "list_tables",
    "describe_table",
    "read_table",
    "query_sql",
    "request_sql",
    "get_request",
    "cancel_request",
    "end_session",
];

async fn connect(
    address: SocketAddr,
    agent: &Agent,
    lifecycle: ClientLifecycleMode,
) -> RunningService<RoleClient, ()> {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{address}/mcp"))
        .auth_header(agent.token.clone());
    let transport = StreamableHttpClientTransport::from_config(config);
    ().serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

fn modern() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

pub(crate) async fn tools() -> Vec<Tool> {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let client = connect(address, &agent, modern()).await;
    client.list_all_tools().await.unwrap()
}

#[tokio::test]
async fn both_generations_list_the_tools_and_call_one() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let source = world.source().await;
    world.share(&source, &agent, Some(dbeast::events::Level::Ask)).await;
    for lifecycle in [ClientLifecycleMode::Initialize, modern()] {
        let client = connect(address, &agent, lifecycle).await;
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), NAMES);
        let began = client.call_tool(CallToolRequestParams::new("begin_session")).await.unwrap();
        let began = began.structured_content.unwrap();
        let arguments = json!({ "session_token": began["session_token"] });
        let catalog = CallToolRequestParams::new("list_catalog")
            .with_arguments(arguments.as_object().unwrap().clone());
        let catalog = client.call_tool(catalog).await.unwrap();
        assert_eq!(catalog.is_error, Some(false));
        let catalog = catalog.structured_content.unwrap();
        assert_eq!(catalog["sources"][0]["source_id"], source.as_str());
        let instructions = client
            .peer_info()
            .and_then(|info| info.instructions.clone())
            .expect("both generations hand over the instructions");
        assert_eq!(began["instructions"], json!(instructions));
    }
}

#[tokio::test]
async fn what_never_changes_may_be_kept_by_its_own_client() {
    let (world, address, _open) = World::listening().await;
    let agent = world.agent("claude").await;
    let client = connect(address, &agent, modern()).await;
    let listed = client.list_tools(None).await.unwrap();
    assert_eq!(listed.cache_scope, Some(CacheScope::Private));
    assert!(listed.ttl_ms.is_some_and(|kept| kept >= 60_000));
    assert_eq!(listed.next_cursor, None);
}

#[tokio::test]
async fn the_list_of_tools_is_the_same_bytes_each_time_and_small() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let other = world.agent("codex").await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let first = world.post(&agent, &list).await;
    assert_eq!(first, world.post(&agent, &list).await);
    assert_eq!(first, world.post(&other, &list).await);
    let tokens = first.len() / 4;
    println!("tools/list: {} bytes, about {tokens} tokens", first.len());
    assert!(tokens < 2_500, "tools/list is about {tokens} tokens");
}

#[tokio::test]
async fn transport_sessions_and_identifiers_mean_nothing() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let call = json!({
        "jsonrpc": "2.0", "id": "someone-else", "method": "tools/call",
        "params": { "name": "list_catalog", "arguments": {
            "session_token": format!("dbeast_session_{}", "0".repeat(64)) } },
    });
    let request = request("POST", "/mcp")
        .header("Authorization", format!("Bearer {}", agent.token))
        .header("Mcp-Session-Id", "some-session")
        .body(call.to_string())
        .unwrap();
    let response = send(&world.router, request).await;
    assert!(!response.headers().contains_key("mcp-session-id"));
    let answer: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "session_expired");
}

#[tokio::test]
async fn what_is_no_request_is_refused_without_repeating_it() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let marker = "zebra-in-the-request";
    for (message, code) in [
        (json!({ "method": "tools/call", "params": { "name": marker } }), -32602),
        (
            json!({ "method": "tools/call", "params": { "name": "list_catalog", "arguments": [marker] } }),
            -32602,
        ),
        (json!({ "method": marker }), -32601),
        (json!({ "method": "resources/list" }), -32601),
        (json!({ "method": "prompts/list" }), -32601),
    ] {
        let mut message = message;
        message["jsonrpc"] = json!("2.0");
        message["id"] = json!(1);
        let body = world.post(&agent, &message).await;
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(answer["error"]["code"], code, "{message}: {answer}");
        assert!(!answer.to_string().contains(marker), "{answer}");
    }
}
