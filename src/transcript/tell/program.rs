//! Lines of databases, of documents and of the program itself.

use super::known::Known;
use super::text::{hexadecimal, length, no_words, quoted, saying, table};
use super::{Line, Told};
use crate::events::{
    Audience, KeptShare, RestoredClient, RestoredSource, ServerEvent, Target, TaskEvent,
    TaskOutcome,
};
use crate::ids::TaskId;
use crate::reason::Reason;
use crate::time::Millis;
use crate::transcript::{Occurrence, words};
use crate::value::ReadLock;
use std::fmt::Write as _;

/// The port at which the server of a story runs if the line says nothing else.
const PORT: u16 = 54_832;

impl Known {
    pub(super) fn task_event(&mut self, event: &TaskEvent, occurrence: &Occurrence) -> Told<Line> {
        let (task, deed) = match event {
            TaskEvent::ReadyToSend { task } => (task, "is ready to send".to_owned()),
            TaskEvent::Finished { task, outcome } => (task, how(outcome)?),
        };
        let worker = self.worker(*task, occurrence)?;
        Ok(format!("{worker} {deed} for {task}").into())
    }

    /// Where a task runs. For a task that is not known, any place will do.
    fn worker(&self, task: TaskId, occurrence: &Occurrence) -> Told<String> {
        let before = &occurrence.before;
        let request = before.tasks.get(&task).and_then(|task| before.requests.get(&task.request));
        let own = request.and_then(|request| match &request.target {
            Target::Source { source, .. } => self.sources.get(source),
            Target::Document { file, .. } => self.files.get(file),
        });
        let any = || self.sources.values().chain(self.files.values()).next();
        let worker = own.or_else(any).cloned();
        worker.ok_or_else(|| "work that ended where there is nothing".to_owned())
    }

    pub(super) fn server_event(&mut self, event: &ServerEvent, start: Millis) -> Told<Line> {
        Ok(match event {
            ServerEvent::Restored { clients, sources, sharing } => {
                let mut line = Line::from("dbeast restores".to_owned());
                line.block.extend(clients.iter().map(|client| self.restored_client(client, start)));
                line.block.extend(sources.iter().map(|source| self.restored_source(source, start)));
                for share in sharing {
                    line.block.push(self.restored_share(share)?);
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
        })
    }

    fn restored_client(&mut self, client: &RestoredClient, start: Millis) -> String {
        let RestoredClient { client, label, token_hash, created_at } = client;
        let name = self.client(client, label);
        let of = self.owner_clause(*token_hash, &name);
        format!("connection {name}{of} made {}", when(*created_at, start))
    }

    fn restored_source(&mut self, source: &RestoredSource, start: Millis) -> String {
        let RestoredSource {
            source,
            name: label,
            alias,
            location,
            context,
            is_read_only,
            read_lock,
            added_at,
        } = source;
        let is_named = self.sources.contains_key(source);
        let name = self.source(source, label);
        if !is_named {
            self.put(location, &name);
        }
        let (place, alias) = (self.place(location), quoted(alias));
        let engine = words::engine_clause(location);
        let lock = if *read_lock == ReadLock::Weak { " with the weaker lock" } else { "" };
        let context = context.as_ref().map(|context| format!(" in {}", quoted(context)));
        let read_only = if *is_read_only { " read-only" } else { "" };
        let made = when(*added_at, start);
        let label =
            if **label == name { String::new() } else { format!(" called {}", quoted(label)) };
        format!(
            "database {name}{label} for agents as {alias} at {place}{engine}{}{read_only}{lock} made {made}",
            context.unwrap_or_default()
        )
    }

    fn restored_share(&mut self, share: &KeptShare) -> Told<String> {
        let KeptShare { source, audience, level, tables } = share;
        let whom = match audience {
            Audience::AllAgents => "all agents".to_owned(),
            Audience::Client(client) => self.client(client, "stranger"),
        };
        let mut line =
            format!("sharing {} with {whom}: {}", self.asked_source(source), level.word());
        for (name, level) in tables {
            let _ = write!(line, ", {} {}", table(name)?, level.word());
        }
        Ok(line)
    }
}

/// What became of a task.
fn how(outcome: &TaskOutcome) -> Told<String> {
    Ok(match outcome {
        TaskOutcome::Completed { body, identities } => {
            let mut deed =
                format!("answers {} bytes: {}", body.bytes(), hexadecimal(body.digest()));
            if let Some(lock) = body.lock() {
                let _ = write!(deed, " under the {} lock", words::lock_word(lock));
            }
            for (name, identity) in identities {
                let object = hexadecimal(&identity.0);
                let _ = write!(deed, ", {} is object {object}", table(name)?);
            }
            deed
        }
        TaskOutcome::Failed { reason: Reason::Database(reason), cause } => {
            format!("fails: {}{}", reason.code(), saying(cause.as_ref()))
        }
        TaskOutcome::Failed { reason: Reason::Sql(reason), .. } => {
            return no_words(format!("a database that fails with `{}`", reason.code()));
        }
        TaskOutcome::IdentityChanged => "finds another table".to_owned(),
        TaskOutcome::Cancelled => "stops as told".to_owned(),
        TaskOutcome::DeadlineExceeded => "runs out of time".to_owned(),
        TaskOutcome::OutcomeUnknown { cause } => {
            format!("loses the connection{}", saying(cause.as_ref()))
        }
    })
}

/// `3h before` or `20s after` the beginning.
fn when(at: Millis, start: Millis) -> String {
    if at < start {
        format!("{} before", length(start.since(at)))
    } else {
        format!("{} after", length(at.since(start)))
    }
}
