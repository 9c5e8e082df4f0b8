//! The protocol's side of the agents' door: what rmcp asks and what it gets.

use super::answer::deliver;
use super::call::Call;
use super::instructions::INSTRUCTIONS;
use super::problem::ToolError;
use super::{schema, tools};
use crate::ids::ClientId;
use crate::reducer::Refusal;
use crate::store::Store;
use crate::time::Duration;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;

/// How long a client may keep what never changes while the program runs. Ours: short enough for an
/// upgrade. The scope is private, as for everything behind a token.
const FRESH: Duration = Duration::minutes(5);

/// Serves every call of every agent; it has no state of its own.
#[derive(Clone)]
pub(super) struct Agent {
    store: Store,
    tools: Arc<[Tool]>,
}

impl Agent {
    pub(super) fn new(store: Store) -> Self {
        Self { store, tools: tools::all().into() }
    }
}

impl ServerHandler for Agent {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("dbeast", env!("CARGO_PKG_VERSION")).with_title("DBeast"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(FRESH.0)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec())
            .with_ttl_ms(FRESH.0)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = context
            .extensions
            .get::<http::request::Parts>()
            .and_then(|parts| parts.extensions.get::<ClientId>())
            .cloned()
            .ok_or_else(|| ErrorData::internal_error("The call came around the guard.", None))?;
        let tool = self.tools.iter().find(|tool| tool.name == request.name).ok_or_else(|| {
            ErrorData::invalid_params("No tool has that name. Call tools/list.", None)
        })?;
        let call = Call { store: self.store.clone(), client };
        let arguments = request.arguments.unwrap_or_default();
        let outcome = if !call.is_live() {
            Err(ToolError::from(Refusal::SessionExpired))
        } else if let Err(mismatch) = schema::check(&tool.input_schema, &arguments) {
            Err(mismatch.into())
        } else {
            tools::run(&call, &tool.name, arguments).await
        };
        let id_bytes = context.id.into_json_value().to_string().len();
        Ok(deliver(outcome, id_bytes).into())
    }

    /// Whatever is no request of the protocol, also a `tools/call` whose arguments are no object.
    /// Nothing of it is repeated.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(if request.method == "tools/call" {
            ErrorData::invalid_params("Expected a tool's name and an object of arguments.", None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "This server has no such method.", None)
        })
    }
}
