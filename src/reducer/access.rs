//! What covers what: the contract's "Resources and permissions" as questions to the state. Everything
//! that asks whether something is allowed asks here.

use super::state::{Authorisation, Document, GrantScope, Request, Share, Source, State};
use crate::events::{Audience, Level, Operation, TableLevel, Target, VerifiedWrite};
use crate::ids::{ClientId, FileId, SessionId, SourceGeneration, SourceId};
use crate::value::TableName;
use equivalent::{Comparable, Equivalent};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who asks for what: the part of a request that decides whether it is covered.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Whose session.
    pub client: &'a ClientId,
    /// Which session.
    pub session: &'a SessionId,
    /// On what.
    pub target: &'a Target,
    /// What.
    pub operation: &'a Operation,
    /// Whether it runs as a write of one table.
    pub is_table_write: bool,
}

impl<'a> From<&'a Request> for Asked<'a> {
    fn from(request: &'a Request) -> Self {
        Self {
            client: &request.client,
            session: &request.session,
            target: &request.target,
            operation: &request.operation,
            is_table_write: request.is_table_write,
        }
    }
}

impl State {
    /// What the client may do with the source: the higher of its own entry and that of all agents. None
    /// if it is not shared or cannot be used; never more than reading if it is read-only.
    #[must_use]
    pub fn level_of(&self, client: &ClientId, source: &SourceId) -> Option<Level> {
        self.access_of(client, source)?.level()
    }

    /// What the client may do with one table beyond the level of its source.
    #[must_use]
    pub fn table_level_of(
        &self,
        client: &ClientId,
        source: &SourceId,
        table: &TableName,
    ) -> Option<TableLevel> {
        self.access_of(client, source)?.table_level(table)
    }

    /// All tables that have a level of their own for the client, each with the higher one.
    #[must_use]
    pub fn shared_tables_of(
        &self,
        client: &ClientId,
        source: &SourceId,
    ) -> BTreeMap<TableName, TableLevel> {
        let Some(access) = self.access_of(client, source) else { return BTreeMap::new() };
        let names = access.entries().flat_map(|share| share.tables.keys());
        names.filter_map(|table| Some((table.clone(), access.table_level(table)?))).collect()
    }

    /// The document, if the client sees it in the catalog.
    #[must_use]
    pub fn document_of(&self, client: &ClientId, file: &FileId) -> Option<&Arc<Document>> {
        let audiences = [Audience::Client(client.clone()), Audience::AllAgents];
        let is_shared = audiences
            .into_iter()
            .any(|audience| self.shared_documents.contains(&(file.clone(), audience)));
        self.documents.get(file).filter(|_| is_shared)
    }

    /// What lets it run without a question: standing access, or a grant of its session.
    #[must_use]
    pub fn standing(&self, asked: Asked<'_>) -> Option<Authorisation> {
        self.standing_with(asked, self.access_to(asked).as_ref())
    }

    fn standing_with(
        &self,
        asked: Asked<'_>,
        access: Option<&Access<'_>>,
    ) -> Option<Authorisation> {
        if is_shared_enough(asked, access) {
            Some(Authorisation::SharedAccess)
        } else if self.is_granted(asked) || self.table_grant(asked).is_some() {
            Some(Authorisation::SessionGrant)
        } else {
            None
        }
    }

    /// Whether the request is still covered by what it stands on (contract, "Approval and
    /// execution": checked again before execution and before the hand-over).
    #[must_use]
    pub fn covers(&self, request: &Request) -> bool {
        let asked = Asked::from(request);
        let access = self.access_to(asked);
        let access = access.as_ref();
        self.sessions.contains_key(&request.session)
            && self.stands(asked, access)
            && match request.authorisation {
                Some(Authorisation::Once) | None => true,
                Some(Authorisation::SessionGrant | Authorisation::SharedAccess) => {
                    self.standing_with(asked, access).is_some()
                }
            }
    }

    /// Whether access to the table lets the write run as DBeast writes it (contract, "Resources and
    /// permissions": `read_write` of a table).
    #[must_use]
    pub fn allows_table_write(
        &self,
        client: &ClientId,
        target: &Target,
        operation: &Operation,
    ) -> bool {
        let (Some(source), Operation::RequestSql { write: Some(write), .. }) =
            (target.source(), operation)
        else {
            return false;
        };
        self.table_level_of(client, source, &write.table) == Some(TableLevel::ReadWrite)
    }

    /// Whether anything but a grant for single tables covers it, so that the identity of its tables does
    /// not matter.
    #[must_use]
    pub(super) fn is_covered_without_table_grant(&self, request: &Request) -> bool {
        let asked = Asked::from(request);
        request.authorisation == Some(Authorisation::Once)
            || is_shared_enough(asked, self.access_to(asked).as_ref())
            || self.is_granted(asked)
    }

    /// The grant for the one table that the request names, if there is one.
    #[must_use]
    pub(super) fn table_grant(&self, asked: Asked<'_>) -> Option<&GrantScope> {
        let (Target::Source { source, generation }, Some(only)) =
            (asked.target, only_table(asked.operation))
        else {
            return None;
        };
        self.scopes_of(asked.session).find(|scope| match scope {
            GrantScope::Table { source: granted, generation: under, table, .. } => {
                granted == source && under == generation && table == only
            }
            GrantScope::Once { .. }
            | GrantScope::Source { .. }
            | GrantScope::FullSql { .. }
            | GrantScope::Document { .. } => false,
        })
    }

    /// Whether its target is there as it was asked about, visible to the client, and takes such work.
    fn stands(&self, asked: Asked<'_>, access: Option<&Access<'_>>) -> bool {
        match asked.target {
            Target::Source { generation, .. } => access.is_some_and(|access| {
                access.source.generation == *generation
                    && !(access.source.is_read_only && asked.operation.may_write())
                    && access.level().is_some()
            }),
            Target::Document { file, .. } => self.document_of(asked.client, file).is_some(),
        }
    }

    /// Whether a grant for more than a table covers it.
    fn is_granted(&self, asked: Asked<'_>) -> bool {
        let is_sql = match asked.operation {
            Operation::RequestSql { .. } => true,
            Operation::ListTables
            | Operation::DescribeTable { .. }
            | Operation::ReadTable { .. }
            | Operation::QuerySql { .. }
            | Operation::ReadOpenFile { .. } => false,
            Operation::Refused { .. } => return false,
        };
        let is_target = |source: &SourceId, generation: SourceGeneration| match asked.target {
            Target::Source { source: asked, generation: of } => {
                generation == *of && source == asked
            }
            Target::Document { .. } => false,
        };
        self.scopes_of(asked.session).any(|scope| match (scope, asked.target) {
            (GrantScope::Source { source, generation }, _) => {
                !is_sql && is_target(source, *generation)
            }
            // Any single statement, so a verified read as well: it could be sent as one.
            (GrantScope::FullSql { source, generation }, _) => is_target(source, *generation),
            (
                GrantScope::Document { file, version },
                Target::Document { file: asked, version: of },
            ) => file == asked && version == of,
            (
                GrantScope::Once { .. } | GrantScope::Table { .. } | GrantScope::Document { .. },
                _,
            ) => false,
        })
    }

    fn scopes_of(&self, session: &SessionId) -> impl Iterator<Item = &GrantScope> {
        self.grants
            .values()
            .filter(move |grant| grant.session == *session)
            .map(|grant| &grant.scope)
    }

    /// What the sharing table says about a client and a source that can be used.
    fn access_of(&self, client: &ClientId, source: &SourceId) -> Option<Access<'_>> {
        let known = self.sources.get(source).filter(|source| source.is_available)?;
        let entry = |client| self.sharing.get(&EntryOf { source, client }).map(|share| &**share);
        Some(Access { source: known, own: entry(Some(client)), all: entry(None) })
    }

    /// The same for what is asked.
    fn access_to(&self, asked: Asked<'_>) -> Option<Access<'_>> {
        asked.target.source().and_then(|source| self.access_of(asked.client, source))
    }
}

/// A key of the sharing table, to look one up without making it. No client: all agents.
struct EntryOf<'a> {
    source: &'a SourceId,
    client: Option<&'a ClientId>,
}

impl Equivalent<(SourceId, Audience)> for EntryOf<'_> {
    fn equivalent(&self, key: &(SourceId, Audience)) -> bool {
        self.compare(key) == Ordering::Equal
    }
}

impl Comparable<(SourceId, Audience)> for EntryOf<'_> {
    fn compare(&self, (source, audience): &(SourceId, Audience)) -> Ordering {
        self.source.cmp(source).then_with(|| match (self.client, audience) {
            (None, Audience::AllAgents) => Ordering::Equal,
            (None, Audience::Client(_)) => Ordering::Less,
            (Some(_), Audience::AllAgents) => Ordering::Greater,
            (Some(own), Audience::Client(other)) => own.cmp(other),
        })
    }
}

/// The entries of the sharing table that hold for a client, its own and that of all agents, with what they are
/// about.
struct Access<'a> {
    source: &'a Source,
    own: Option<&'a Share>,
    all: Option<&'a Share>,
}

impl<'a> Access<'a> {
    fn entries(&self) -> impl Iterator<Item = &'a Share> {
        self.own.into_iter().chain(self.all)
    }

    fn level(&self) -> Option<Level> {
        let most = if self.source.is_read_only { Level::Read } else { Level::ReadWrite };
        self.entries().map(|share| share.level.min(most)).max()
    }

    fn table_level(&self, table: &TableName) -> Option<TableLevel> {
        let most = if self.source.is_read_only { TableLevel::Read } else { TableLevel::ReadWrite };
        let levels = self.entries().filter_map(|share| share.tables.get(table));
        levels.map(|level| (*level).min(most)).max()
    }
}

/// Whether standing access covers it.
fn is_shared_enough(asked: Asked<'_>, access: Option<&Access<'_>>) -> bool {
    let Some(access) = access else { return false };
    let level = access.level();
    let is_shared = |table| access.table_level(table).is_some();
    match asked.operation {
        Operation::ListTables => level >= Some(Level::Read),
        Operation::DescribeTable { .. }
        | Operation::ReadTable { .. }
        | Operation::QuerySql { .. } => {
            let tables = asked.operation.tables();
            level >= Some(Level::Read) || !tables.is_empty() && tables.iter().all(is_shared)
        }
        Operation::RequestSql { write, .. } => {
            let is_writable = |write: &VerifiedWrite| {
                access.table_level(&write.table) == Some(TableLevel::ReadWrite)
            };
            level >= Some(Level::ReadWrite)
                || asked.is_table_write && write.as_deref().is_some_and(is_writable)
        }
        Operation::ReadOpenFile { .. } | Operation::Refused { .. } => false,
    }
}

/// The one table that a verified read or a description is about, and nothing else (contract: all of
/// its references point only to that table).
pub(super) fn only_table(operation: &Operation) -> Option<&TableName> {
    match operation {
        Operation::DescribeTable { .. }
        | Operation::ReadTable { .. }
        | Operation::QuerySql { .. } => match operation.tables() {
            [only] => Some(only),
            _ => None,
        },
        Operation::ListTables
        | Operation::RequestSql { .. }
        | Operation::ReadOpenFile { .. }
        | Operation::Refused { .. } => None,
    }
}
