//! What lives around the reducer in a story: names, the clock, the databases at work, the vault.
//!
//! It plays the outside exactly as the program does: it makes identifiers, rings the alarm, keeps
//! what is saved. Each event is checked as it happens (`checks::after_event`).

use super::{Told, checks};
use dbeast::events::{
    Envelope, Event, KeptShare, RestoredClient, RestoredSource, ServerEvent, ServerPlace,
    SourceLocation, WithheldText,
};
use dbeast::ids::{ClientId, FileId, RequestId, SessionId, SourceId, TaskId};
use dbeast::reducer::effect::{kept_shares, saved_clients, saved_sources};
use dbeast::reducer::{Answer, Effect, Refusal, State, reduce};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::transcript::{Occurrence, words};
use dbeast::value::Engine;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One start of the program: its log, and every state that it went through.
#[derive(Default)]
pub(crate) struct Life {
    pub(crate) log: Vec<Envelope>,
    pub(crate) states: Vec<State>,
    pub(crate) effects: Vec<Vec<Effect>>,
    pub(crate) answers: Vec<Result<Answer, Refusal>>,
}

/// Everything around the reducer.
pub(crate) struct World {
    pub(crate) state: State,
    pub(crate) now: Millis,
    /// Lives that are over, then the one that goes on.
    pub(crate) lives: Vec<Life>,
    /// Work that the reducer started and that has not ended.
    pub(crate) outstanding: BTreeMap<TaskId, Outstanding>,
    pub(crate) agents: BTreeMap<String, Agent>,
    pub(crate) sources: BTreeMap<String, SourceId>,
    pub(crate) files: BTreeMap<String, FileId>,
    /// Texts that no log and no view may hold: of documents, and the words of drivers.
    pub(crate) withheld: Vec<String>,
    pub(crate) tokens: BTreeMap<SessionId, TokenHash>,
    pub(crate) requests_made: u64,
    pub(crate) keys_made: u64,
    vault: Vec<RestoredClient>,
    sharing: Vec<KeptShare>,
    configuration: Vec<RestoredSource>,
    /// What the line at hand led to.
    pub(crate) occurrences: Vec<Occurrence>,
    /// What an agent read in the line at hand.
    pub(crate) seen: Option<String>,
}

/// Work at a database.
pub(crate) struct Outstanding {
    pub(crate) request: RequestId,
    pub(crate) place: Place,
}

/// Where work goes on.
#[derive(PartialEq, Eq)]
pub(crate) enum Place {
    /// At a database.
    Database(SourceLocation),
    /// At an open document: the range that is handed out.
    Document(dbeast::events::Excerpt),
}

/// An agent by name.
pub(crate) struct Agent {
    pub(crate) id: ClientId,
    /// The session that it believes to have.
    pub(crate) session: Option<SessionId>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            state: State::default(),
            now: words::START,
            lives: vec![Life::default()],
            outstanding: BTreeMap::new(),
            agents: BTreeMap::new(),
            sources: BTreeMap::new(),
            files: BTreeMap::new(),
            withheld: Vec::new(),
            tokens: BTreeMap::new(),
            requests_made: 0,
            keys_made: 0,
            vault: Vec::new(),
            sharing: Vec::new(),
            configuration: Vec::new(),
            occurrences: Vec::new(),
            seen: None,
        }
    }

    /// Lets an event happen now.
    pub(crate) fn send(&mut self, event: impl Into<Event>) -> Told<Result<Answer, Refusal>> {
        let seq = self.state.seq + 1;
        let envelope = Envelope { seq, at: self.now, event: event.into() };
        let step = reduce(&self.state, &envelope);
        if let Event::Task(dbeast::events::TaskEvent::Finished { task, .. }) = &envelope.event {
            self.outstanding.remove(task);
        }
        for effect in &step.effects {
            self.take(effect);
        }
        let before = std::mem::replace(&mut self.state, step.state.clone());
        let answer = step.answer.clone();
        let occurrence = Occurrence { before, envelope, step };
        checks::after_event(self, &occurrence)?;
        let life = self.lives.last_mut().expect("a life goes on");
        life.log.push(occurrence.envelope.clone());
        life.states.push(occurrence.step.state.clone());
        life.effects.push(occurrence.step.effects.clone());
        life.answers.push(occurrence.step.answer.clone());
        self.occurrences.push(occurrence);
        Ok(answer)
    }

    fn take(&mut self, effect: &Effect) {
        match effect {
            Effect::RunTask { task, request, place, .. } => {
                let place = Place::Database(place.location.clone());
                self.outstanding.insert(*task, Outstanding { request: request.clone(), place });
            }
            Effect::ReadDocument { task, request, excerpt } => {
                let place = Place::Document(excerpt.clone());
                self.outstanding.insert(*task, Outstanding { request: request.clone(), place });
            }
            // The database decides when it stops, the clock reads the alarm from the state.
            Effect::CancelTask { .. }
            | Effect::Estimate { .. }
            | Effect::SendStatement { .. }
            | Effect::SetAlarm { .. } => {}
            Effect::SaveVault { clients, sharing } => {
                let kept = saved_clients(clients).into_iter().map(|client| RestoredClient {
                    client: client.client,
                    label: client.label,
                    token_hash: client.token_hash,
                    created_at: client.created_at,
                });
                self.vault = kept.collect();
                self.sharing = kept_shares(sharing);
            }
            Effect::SaveSources { sources } => {
                let kept = saved_sources(sources).into_iter().map(|source| RestoredSource {
                    source: source.source,
                    name: source.name,
                    alias: source.alias,
                    location: source.location,
                    context: source.context,
                    is_read_only: source.is_read_only,
                    read_lock: source.read_lock,
                    added_at: source.added_at,
                });
                self.configuration = kept.collect();
            }
        }
    }

    /// What the program would read at its next start.
    pub(crate) fn saved(&self) -> ServerEvent {
        ServerEvent::Restored {
            clients: self.vault.clone(),
            sources: self.configuration.clone(),
            sharing: self.sharing.clone(),
        }
    }

    /// Ends this life and begins the next one from what was saved, perhaps several times over.
    pub(crate) fn restart(&mut self, copies: usize) -> Told<()> {
        self.lives.push(Life::default());
        self.state = State::default();
        self.outstanding.clear();
        let mut saved = self.saved();
        if let ServerEvent::Restored { clients, .. } = &mut saved {
            *clients = vec![clients.clone(); copies].concat();
        }
        self.send(saved).map(drop)
    }

    /// The agent with this name.
    pub(crate) fn agent(&self, name: &str) -> Told<&Agent> {
        self.agents.get(name).ok_or_else(|| format!("nobody is called `{name}`"))
    }

    /// The identifier for the agent with this name, a fresh one for a fresh name.
    pub(crate) fn client_id(&mut self, name: &str) -> ClientId {
        let fresh = ClientId::new(&format!("c{}", self.agents.len() + 1));
        let agent =
            self.agents.entry(name.to_owned()).or_insert(Agent { id: fresh, session: None });
        agent.id.clone()
    }

    /// The identifier for the database with this name. It stays the same when the database is
    /// removed and added again: that is the hardest case.
    pub(crate) fn source_id(&mut self, name: &str) -> SourceId {
        let fresh = SourceId::new(&format!("src{}", self.sources.len() + 1));
        self.sources.entry(name.to_owned()).or_insert(fresh).clone()
    }

    /// The identifier for the document with this name, a fresh one for a fresh name.
    pub(crate) fn file_id(&mut self, name: &str) -> FileId {
        let fresh = FileId::new(&format!("f{}", self.files.len() + 1));
        self.files.entry(name.to_owned()).or_insert(fresh).clone()
    }

    /// A text that must not turn up in any log or view. Very short ones could be found anywhere.
    pub(crate) fn withhold(&mut self, text: &str) -> WithheldText {
        use sha2::{Digest, Sha256};
        if (8..1024).contains(&text.len()) {
            self.withheld.push(text.to_owned());
        }
        WithheldText::new(Arc::from(text), Sha256::digest(text.as_bytes()).into())
    }

    /// The identifier under which somebody may ask for a database; names never heard are unknown
    /// identifiers.
    pub(crate) fn asked_source(&self, name: &str) -> SourceId {
        self.sources.get(name).cloned().unwrap_or_else(|| SourceId::new(name))
    }
}

/// The name of a database in a story, and the engine of its server if it is on one.
pub(crate) fn on_server(place: &str) -> (&str, Option<Engine>) {
    let servers = [Engine::Postgres, Engine::Mysql, Engine::Mariadb];
    let found = servers.into_iter().find_map(|engine| {
        let name = place.strip_suffix(engine.title())?.strip_suffix(" on ")?;
        Some((name, Some(engine)))
    });
    found.unwrap_or((place, None))
}

/// Where a story's database is: `shop`, or `shop on PostgreSQL`. No folder and no server: nothing in a story has a
/// real place.
pub(crate) fn location(place: &str) -> SourceLocation {
    let (name, engine) = on_server(place);
    let server = |port| ServerPlace {
        host: Arc::from(format!("{name}.example")),
        port,
        database: Arc::from(name),
        user: Arc::from("agents"),
    };
    match engine {
        Some(Engine::Postgres) => SourceLocation::Postgres(server(5432)),
        Some(Engine::Mysql) => SourceLocation::Mysql(server(3306)),
        Some(Engine::Mariadb) => SourceLocation::Mariadb(server(3306)),
        Some(Engine::Sqlite) | None => {
            SourceLocation::Sqlite { path: Arc::from(format!("{place}.db")) }
        }
    }
}

/// A token's hash with eight bytes that matter. A recorded log keeps just those, so that a
/// round-trip through the wire form can be compared state by state (`checks::wire`).
pub(crate) fn token(kind: &str, word: &str) -> TokenHash {
    use sha2::{Digest, Sha256};
    let mut digest: [u8; 32] = Sha256::digest(format!("{kind} {word}").as_bytes()).into();
    digest[8..].fill(0);
    TokenHash::new(digest)
}
