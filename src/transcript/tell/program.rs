//! Lines of the person, of the databases and of the program itself.

use super::known::Known;
use super::text::{hexadecimal, length, no_words, quoted};
use super::{Line, Told};
use crate::events::{
    Audience, ClientEvent, RestoredClient, RestoredSource, ServerEvent, SharingEvent, SourceEvent,
    TaskEvent, TaskOutcome,
};
use crate::ids::TaskId;
use crate::reason::Reason;
use crate::time::Millis;
use crate::transcript::{Occurrence, words};

/// The port at which the server of a story runs if the line says nothing else.
const PORT: u16 = 54_832;

impl Known {
    pub(super) fn client_event(&mut self, event: &ClientEvent) -> Line {
        match event {
            ClientEvent::Created { client, label, token_hash } => {
                let name = self.client(client, label);
                let owner = self.owner(*token_hash, &name);
                let of = if owner == name {
                    String::new()
                } else {
                    format!(" with the token of {owner}")
                };
                format!("dana connects {name}{of}").into()
            }
            ClientEvent::Revoked { client } => {
                format!("dana revokes {}", self.client(client, "stranger")).into()
            }
        }
    }

    pub(super) fn source_event(&mut self, event: &SourceEvent) -> Line {
        match event {
            SourceEvent::Added { source, name, alias, .. } => {
                let name = self.source(source, name);
                let alias = alias.as_ref().map(|alias| format!(" for agents as {}", quoted(alias)));
                format!("dana adds {name}{}", alias.unwrap_or_default()).into()
            }
            SourceEvent::Removed { source } => {
                format!("dana removes {}", self.asked_source(source)).into()
            }
        }
    }

    pub(super) fn sharing_event(&mut self, event: &SharingEvent) -> Told<Line> {
        let SharingEvent::Set { source, audience, level } = event;
        let whom = match audience {
            Audience::AllAgents => "all agents".to_owned(),
            Audience::Client(client) => self.agent(client)?,
        };
        let source = self.asked_source(source);
        Ok(format!("dana shares {source} with {whom}: {}", words::level_word(*level)).into())
    }

    pub(super) fn task_event(&mut self, event: &TaskEvent, occurrence: &Occurrence) -> Told<Line> {
        let TaskEvent::Finished { task, outcome } = event;
        let deed = match outcome {
            TaskOutcome::Completed(body) => {
                format!("answers {} bytes: {}", body.bytes(), hexadecimal(body.digest()))
            }
            TaskOutcome::Failed { reason: Reason::Database(reason), cause } => {
                let saying = cause.as_ref().map(|cause| format!(", saying {}", quoted(cause)));
                format!("fails: {}{}", reason.code(), saying.unwrap_or_default())
            }
            TaskOutcome::Failed { reason: Reason::Sql(reason), .. } => {
                return no_words(format!("a database that fails with `{}`", reason.code()));
            }
            TaskOutcome::Cancelled => "stops as told".to_owned(),
            TaskOutcome::DeadlineExceeded => "runs out of time".to_owned(),
        };
        let database = self.database_of(*task, occurrence)?;
        Ok(format!("{database} {deed} for {task}").into())
    }

    /// The database at which a task runs. For a task that is not known, any will do.
    fn database_of(&self, task: TaskId, occurrence: &Occurrence) -> Told<String> {
        let before = &occurrence.before;
        let request = before.tasks.get(&task).and_then(|task| before.requests.get(&task.request));
        let own = request.and_then(|request| self.sources.get(&request.source));
        let any = || self.sources.values().next();
        own.or_else(any).cloned().ok_or_else(|| "work ended, but there is no database".to_owned())
    }

    pub(super) fn server_event(&mut self, event: &ServerEvent, start: Millis) -> Line {
        match event {
            ServerEvent::Restored { clients, sources, sharing } => {
                let mut line = Line::from("dbeast restores".to_owned());
                line.block.extend(clients.iter().map(|client| self.restored_client(client, start)));
                line.block.extend(sources.iter().map(|source| self.restored_source(source, start)));
                for (source, audience, level) in sharing {
                    let whom = match audience {
                        Audience::AllAgents => "all agents".to_owned(),
                        Audience::Client(client) => self.client(client, "stranger"),
                    };
                    let source = self.asked_source(source);
                    line.block.push(format!("sharing {source} with {whom}: {}", level.word()));
                }
                line
            }
            ServerEvent::Started { port: PORT } => "dana starts the server".to_owned().into(),
            ServerEvent::Started { port } => {
                format!("dana starts the server on port {port}").into()
            }
            ServerEvent::Stopped => "dana stops the server".to_owned().into(),
            ServerEvent::AllStopped => "dana stops all".to_owned().into(),
            ServerEvent::NoticeRaised { notice } => {
                format!("dbeast notices {}", notice.code()).into()
            }
            ServerEvent::NoticeCleared { notice } => {
                format!("dbeast forgets {}", notice.code()).into()
            }
            ServerEvent::TimePassed => "alarm rings early".to_owned().into(),
        }
    }

    fn restored_client(&mut self, client: &RestoredClient, start: Millis) -> String {
        let RestoredClient { client, label, token_hash, created_at } = client;
        let name = self.client(client, label);
        let owner = self.owner(*token_hash, &name);
        let of = if owner == name { String::new() } else { format!(" with the token of {owner}") };
        format!("connection {name}{of} made {}", when(*created_at, start))
    }

    fn restored_source(&mut self, source: &RestoredSource, start: Millis) -> String {
        let RestoredSource { source, name, alias, added_at, .. } = source;
        let name = self.source(source, name);
        format!("database {name} for agents as {} made {}", quoted(alias), when(*added_at, start))
    }
}

/// `3h before` or `20s after` the beginning.
fn when(at: Millis, start: Millis) -> String {
    if at < start {
        format!("{} before", length(start.since(at)))
    } else {
        format!("{} after", length(at.since(start)))
    }
}
