//! A second opinion: what must be so after a history, kept in plain maps and written out again from the
//! contract. It follows what was answered as done, and asks nothing of the reducer's own rules
//! (`leads_to`, `covers`, `level_of`, the invariants).
//!
//! Of grants it knows at least those that live: it hears of their end by a move, not by another identity of a
//! table. So it can say that a result must not be released, and never that one must.

use dbeast::events::{
    Audience, DocumentEvent, Envelope, Event, GrantEvent, Level, Operation, RequestEvent, Scope,
    SharingEvent, SourceChange, SourceEvent, TableLevel, Target, TaskEvent,
};
use dbeast::ids::{ClientId, FileId, RequestId, SessionId, SourceId, TaskId};
use dbeast::reducer::state::{State, Status};
use dbeast::reducer::{Effect, Step};
use dbeast::time::Millis;
use dbeast::value::TableName;
use std::collections::{BTreeMap, BTreeSet};

/// The contract's graph: from, to, and whether only what may write goes there (or only what may not).
const GRAPH: &[(Status, Status, Writes)] = &[
    (Status::Pending, Status::Running, Writes::Either),
    (Status::Pending, Status::Denied, Writes::Either),
    (Status::Pending, Status::Cancelled, Writes::Either),
    (Status::Pending, Status::Expired, Writes::Either),
    (Status::Pending, Status::Revoked, Writes::Either),
    (Status::Running, Status::Completed, Writes::Either),
    (Status::Running, Status::Failed, Writes::Either),
    (Status::Running, Status::Cancelled, Writes::Either),
    (Status::Running, Status::Expired, Writes::Either),
    (Status::Running, Status::Revoked, Writes::Either),
    (Status::Running, Status::OutcomeUnknown, Writes::Only),
    (Status::Running, Status::CompletedResultRevoked, Writes::Only),
    (Status::Completed, Status::Revoked, Writes::Never),
    (Status::Completed, Status::CompletedResultRevoked, Writes::Only),
    (Status::Completed, Status::ResultExpired, Writes::Either),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    Only,
    Never,
    Either,
}

const RETENTION_MS: u64 = 5 * 60_000;
const IDLE_MS: u64 = 20 * 60_000;
const LIFETIME_MS: u64 = 120 * 60_000;

/// What was asked.
struct Asked {
    id: RequestId,
    client: ClientId,
    session: SessionId,
    target: Target,
    operation: Operation,
    /// How often what it is about was another one since.
    changes: u64,
    scope: Option<Scope>,
    status: Status,
    finished_at: Option<Millis>,
    works: u32,
    sends: u32,
}

/// What the person gave for a session.
struct Given {
    session: SessionId,
    scope: Scope,
    target: Target,
    table: Option<TableName>,
}

#[derive(Default)]
struct Shared {
    level: Option<Level>,
    tables: BTreeMap<TableName, TableLevel>,
}

/// What must be so.
#[derive(Default)]
pub(crate) struct Reference {
    asked: BTreeMap<u64, Asked>,
    given: Vec<Given>,
    shared: BTreeMap<(SourceId, Audience), Shared>,
    shown: BTreeSet<(FileId, Audience)>,
    /// How often a source or document became another one.
    changes: BTreeMap<String, u64>,
    unusable: BTreeSet<SourceId>,
    read_only: BTreeSet<SourceId>,
    sessions: BTreeMap<SessionId, (Millis, Millis)>,
    work: BTreeMap<TaskId, u64>,
}

type Told = Result<(), String>;

fn fail<T>(what: impl Into<String>) -> Result<T, String> {
    Err(what.into())
}

impl Reference {
    /// Follows one step, and says what is wrong with it.
    pub(crate) fn follow(&mut self, before: &State, envelope: &Envelope, step: &Step) -> Told {
        let after = &step.state;
        if step.answer.is_ok() {
            self.hear(before, &envelope.event);
        }
        self.hear_of_sessions(before, after);
        self.hear_of_requests(after);
        self.hear_of_work(envelope, step)?;
        self.judge_statuses(after)
    }

    /// What a move that was done says by itself.
    fn hear(&mut self, before: &State, event: &Event) {
        match event {
            Event::Sharing(SharingEvent::Set { source, audience, level }) => {
                let key = (source.clone(), audience.clone());
                let was = self.shared.get(&key).and_then(|shared| shared.level);
                match level {
                    Some(_) => self.shared.entry(key).or_default().level = *level,
                    None => drop(self.shared.remove(&key)),
                }
                if *level < was {
                    self.narrow(before, audience, |target| target.source() == Some(source));
                }
            }
            Event::Sharing(SharingEvent::TableSet { source, audience, table, level }) => {
                let tables =
                    &mut self.shared.entry((source.clone(), audience.clone())).or_default().tables;
                let was = tables.get(table).copied();
                match level {
                    Some(level) => drop(tables.insert(table.clone(), *level)),
                    None => drop(tables.remove(table)),
                }
                if *level < was {
                    self.narrow(before, audience, |target| target.source() == Some(source));
                }
            }
            Event::Source(event) => self.hear_of_source(before, event),
            Event::Document(event) => self.hear_of_document(before, event),
            Event::Grant(GrantEvent::Revoked { grant }) => {
                let Some(grant) = before.grants.get(grant) else { return };
                let (kind, source, file) =
                    (grant.scope.kind(), grant.scope.source(), grant.scope.file());
                self.given.retain(|given| {
                    let is_it = given.session == grant.session
                        && given.scope == kind
                        && given.target.source() == source
                        && given.target.file() == file;
                    // Of tables it may be another one's: keep those.
                    !is_it || kind == Scope::Table
                });
            }
            Event::Request(RequestEvent::Allowed { request, scope }) => {
                let asked = self.asked.values_mut().rev().find(|asked| asked.id == *request);
                let Some(asked) = asked else { return };
                asked.scope = Some(*scope);
                self.given.push(Given {
                    session: asked.session.clone(),
                    scope: *scope,
                    target: asked.target.clone(),
                    table: asked.operation.tables().first().cloned(),
                });
            }
            Event::Client(dbeast::events::ClientEvent::Revoked { client }) => {
                let is_own = |audience: &Audience| *audience == Audience::Client(client.clone());
                self.shared.retain(|(_, audience), _| !is_own(audience));
                self.shown.retain(|(_, audience)| !is_own(audience));
            }
            Event::Server(dbeast::events::ServerEvent::Restored { sharing, sources, .. }) => {
                for kept in sharing {
                    let shared = Shared {
                        level: Some(kept.level),
                        tables: kept.tables.iter().cloned().collect(),
                    };
                    self.shared.insert((kept.source.clone(), kept.audience.clone()), shared);
                }
                let closed = sources.iter().filter(|source| source.is_read_only);
                self.read_only.extend(closed.map(|source| source.source.clone()));
            }
            Event::Client(_)
            | Event::Session(_)
            | Event::Request(_)
            | Event::Task(_)
            | Event::Server(_) => {}
        }
    }

    fn hear_of_source(&mut self, before: &State, event: &SourceEvent) {
        let (source, is_another) = match event {
            SourceEvent::Added { source, is_read_only, .. } => {
                if *is_read_only {
                    self.read_only.insert(source.clone());
                }
                (source, true)
            }
            SourceEvent::Renamed { .. } => return,
            SourceEvent::Removed { source } => {
                self.shared.retain(|(shared, _), _| shared != source);
                self.unusable.remove(source);
                self.read_only.remove(source);
                (source, true)
            }
            SourceEvent::Changed { source, change } => {
                let put = |set: &mut BTreeSet<SourceId>, is_in: bool| match is_in {
                    true => set.insert(source.clone()),
                    false => set.remove(source),
                };
                let is_another = match change {
                    SourceChange::Availability { is_available } => {
                        put(&mut self.unusable, !is_available)
                    }
                    SourceChange::ReadOnly { is_read_only } => {
                        put(&mut self.read_only, *is_read_only)
                    }
                    SourceChange::Password => true,
                    SourceChange::Connection { location } => {
                        before.sources.get(source).is_some_and(|old| old.location != *location)
                    }
                    SourceChange::ReadLock { lock } => {
                        before.sources.get(source).is_some_and(|old| old.read_lock != *lock)
                    }
                    SourceChange::Context { context } => {
                        before.sources.get(source).is_some_and(|old| old.context != *context)
                    }
                };
                (source, is_another)
            }
        };
        if is_another {
            *self.changes.entry(source.to_string()).or_default() += 1;
            self.given.retain(|given| given.target.source() != Some(source));
        }
    }

    fn hear_of_document(&mut self, before: &State, event: &DocumentEvent) {
        match event {
            DocumentEvent::Opened { .. } | DocumentEvent::Changed { .. } => {}
            DocumentEvent::Reverted { file, .. } => {
                *self.changes.entry(file.to_string()).or_default() += 1;
                self.given.retain(|given| given.target.file() != Some(file));
            }
            DocumentEvent::Closed { file } => {
                *self.changes.entry(file.to_string()).or_default() += 1;
                self.given.retain(|given| given.target.file() != Some(file));
                self.shown.retain(|(shown, _)| shown != file);
            }
            DocumentEvent::Shared { file, audience, is_shared } => {
                let entry = (file.clone(), audience.clone());
                if *is_shared {
                    self.shown.insert(entry);
                } else if self.shown.remove(&entry) {
                    self.narrow(before, audience, |target| target.file() == Some(file));
                }
            }
        }
    }

    /// Takes what an audience was given on something, and marks what it asked.
    fn narrow(&mut self, before: &State, audience: &Audience, is_on: impl Fn(&Target) -> bool) {
        let holds = |client: &ClientId| match audience {
            Audience::AllAgents => true,
            Audience::Client(one) => one == client,
        };
        let of = |session: &SessionId| before.sessions.get(session).map(|live| &live.client);
        self.given.retain(|given| !(is_on(&given.target) && of(&given.session).is_some_and(holds)));
        for asked in self.asked.values_mut() {
            if is_on(&asked.target) && holds(&asked.client) {
                // As if it had been about something else: no result may be released.
                asked.changes = u64::MAX;
            }
        }
    }

    fn hear_of_sessions(&mut self, before: &State, after: &State) {
        for (id, session) in &after.sessions {
            let is_new =
                before.sessions.get(id).is_none_or(|old| old.token_hash != session.token_hash);
            let began = if is_new { after.now } else { self.sessions[id].0 };
            self.sessions.insert(id.clone(), (began, session.last_used_at));
        }
        let gone: Vec<SessionId> =
            self.sessions.keys().filter(|id| !after.sessions.contains_key(*id)).cloned().collect();
        for id in gone {
            self.sessions.remove(&id);
            self.given.retain(|given| given.session != id);
        }
    }

    fn hear_of_requests(&mut self, after: &State) {
        for (id, request) in &after.requests {
            let about = match &request.target {
                Target::Source { source, .. } => source.to_string(),
                Target::Document { file, .. } => file.to_string(),
            };
            let changes = self.changes.get(&about).copied().unwrap_or_default();
            self.asked.entry(request.order).or_insert_with(|| Asked {
                id: id.clone(),
                client: request.client.clone(),
                session: request.session.clone(),
                target: request.target.clone(),
                operation: request.operation.clone(),
                changes,
                scope: None,
                status: Status::Pending,
                finished_at: None,
                works: 0,
                sends: 0,
            });
        }
    }

    /// Each request works once, each statement is sent once, and work is what was started and has not ended.
    fn hear_of_work(&mut self, envelope: &Envelope, step: &Step) -> Told {
        if let Event::Task(TaskEvent::Finished { task, .. }) = &envelope.event {
            self.work.remove(task);
        }
        for effect in &step.effects {
            let (task, sends) = match effect {
                Effect::RunTask { task, request, .. }
                | Effect::ReadDocument { task, request, .. } => {
                    let found = self.asked.iter().rev().find(|(_, asked)| asked.id == *request);
                    let Some((order, _)) = found else { return fail("work for no request") };
                    if self.work.insert(*task, *order).is_some() {
                        return fail(format!("{task} is started twice"));
                    }
                    (task, false)
                }
                Effect::SendStatement { task } => (task, true),
                Effect::CancelTask { .. }
                | Effect::Estimate { .. }
                | Effect::SetAlarm { .. }
                | Effect::SaveVault { .. }
                | Effect::SaveSources { .. } => continue,
            };
            let order = self.work.get(task).copied().unwrap_or_default();
            let Some(asked) = self.asked.get_mut(&order) else { return fail("no such work") };
            let (count, what) = match sends {
                true => (&mut asked.sends, "sent"),
                false => (&mut asked.works, "started"),
            };
            *count += 1;
            if *count > 1 {
                return fail(format!("the work of {} is {what} twice", asked.id));
            }
        }
        if self.work.keys().eq(step.state.tasks.keys()) { Ok(()) } else { fail("work is no slot") }
    }

    fn judge_statuses(&mut self, after: &State) -> Told {
        for (order, asked) in &mut self.asked {
            let kept = after.requests.get(&asked.id).filter(|kept| kept.order == *order);
            let stone = || {
                let session = after.sessions.get(&asked.session)?;
                session.tombstones.get(&asked.id).map(|stone| stone.status)
            };
            let Some(now) = kept.map(|kept| kept.status).or_else(stone) else { continue };
            if !leads(asked.status, now, asked.operation.may_write()) {
                return fail(format!("{} goes from {:?} to {now:?}", asked.id, asked.status));
            }
            if asked.sends > 0
                && matches!(now, Status::Cancelled | Status::Expired | Status::Revoked)
            {
                return fail(format!("{} was sent and is {now:?}", asked.id));
            }
            if asked.status != now {
                let is_open = matches!(now, Status::Pending | Status::Running);
                asked.finished_at = (!is_open).then_some(after.now);
            }
            asked.status = now;
        }
        self.asked.retain(|_, asked| after.sessions.contains_key(&asked.session));
        Ok(())
    }

    /// Why the result of this request must not be handed to this session at this time.
    pub(crate) fn forbids(
        &self,
        id: &RequestId,
        to: &SessionId,
        at: Millis,
    ) -> Option<&'static str> {
        let asked = self.asked.values().rev().find(|asked| asked.id == *id);
        let Some(asked) = asked else { return Some("nobody asked it") };
        let (began, used) = self.sessions.get(to).copied().unwrap_or_default();
        let about = match &asked.target {
            Target::Source { source, .. } => source.to_string(),
            Target::Document { file, .. } => file.to_string(),
        };
        let is_sourced = match &asked.target {
            Target::Source { source, .. } => {
                let takes_writes = !self.read_only.contains(source);
                !self.unusable.contains(source) && (takes_writes || !asked.operation.may_write())
            }
            Target::Document { .. } => true,
        };
        let changes = self.changes.get(&about).copied().unwrap_or_default();
        let finished = asked.finished_at.unwrap_or_default();
        [
            (asked.session == *to, "it is another session's"),
            (at.since(began).0 < LIFETIME_MS && at.since(used).0 < IDLE_MS, "the session is over"),
            (asked.status == Status::Completed, "it is not completed"),
            (at.since(finished).0 < RETENTION_MS, "its time is over"),
            (asked.changes == changes, "what it was about was taken away or is another one"),
            (is_sourced, "the source takes no such work"),
            (self.is_visible(asked), "what it is about is not shared"),
            (self.may_stand(asked), "nothing covers it"),
        ]
        .into_iter()
        .find_map(|(holds, why)| (!holds).then_some(why))
    }

    fn entries(&self, asked: &Asked) -> impl Iterator<Item = &Shared> {
        let source = asked.target.source().cloned();
        let own = Audience::Client(asked.client.clone());
        [own, Audience::AllAgents]
            .into_iter()
            .filter_map(move |audience| self.shared.get(&(source.clone()?, audience)))
    }

    fn is_visible(&self, asked: &Asked) -> bool {
        match &asked.target {
            Target::Source { .. } => self.entries(asked).next().is_some(),
            Target::Document { file, .. } => {
                let own = Audience::Client(asked.client.clone());
                [own, Audience::AllAgents]
                    .into_iter()
                    .any(|audience| self.shown.contains(&(file.clone(), audience)))
            }
        }
    }

    fn may_stand(&self, asked: &Asked) -> bool {
        let level = self.entries(asked).filter_map(|shared| shared.level).max();
        let table = |name: &TableName| {
            self.entries(asked).filter_map(|shared| shared.tables.get(name)).max().copied()
        };
        let tables = asked.operation.tables();
        let by_sharing = match &asked.operation {
            Operation::ListTables => level >= Some(Level::Read),
            Operation::DescribeTable { .. }
            | Operation::ReadTable { .. }
            | Operation::QuerySql { .. } => {
                level >= Some(Level::Read) || tables.iter().all(|name| table(name).is_some())
            }
            Operation::RequestSql { .. } => {
                level >= Some(Level::ReadWrite)
                    || tables.iter().any(|name| table(name) == Some(TableLevel::ReadWrite))
            }
            Operation::ReadOpenFile { .. } | Operation::Refused { .. } => false,
        };
        let by_grant = || {
            self.given.iter().any(|given| {
                given.session == asked.session
                    && given.target == asked.target
                    && match given.scope {
                        Scope::Once => false,
                        Scope::Table => given.table.as_ref() == tables.first(),
                        Scope::Source => !asked.operation.may_write(),
                        Scope::FullSql | Scope::Document => true,
                    }
            })
        };
        asked.scope == Some(Scope::Once) || by_sharing || by_grant()
    }
}

/// Whether the graph leads there, in at most two moves: one event may let time pass and do its own.
fn leads(from: Status, to: Status, may_write: bool) -> bool {
    let next = |from: Status| {
        let ways = GRAPH.iter().filter(move |(start, _, writes)| {
            let fits = match writes {
                Writes::Only => may_write,
                Writes::Never => !may_write,
                Writes::Either => true,
            };
            *start == from && fits
        });
        ways.map(|(_, end, _)| *end)
    };
    from == to || next(from).any(|middle| middle == to || next(middle).any(|end| end == to))
}
