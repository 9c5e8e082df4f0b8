//! `claude …`: an agent, honest or not.
//!
//! The words after `, with …` say what the call carries instead of what it should: another key,
//! another token, a text verified under another configuration.

use super::super::Told;
use super::super::world::{World, token};
use super::block::Block;
use super::{database, quoted, split, table_name, times};
use dbeast::events::{
    ArgumentsDigest, Excerpt, Operation, RefusedText, RequestEvent, SessionEvent, Submission,
    Target, TextTool, VerifiedRead, VerifiedWrite,
};
use dbeast::ids::{DocumentVersion, FileId, RequestId, RequestKey, SessionId, SourceGeneration};
use dbeast::reason::SqlReason;
use dbeast::reducer::{Answer, read};
use dbeast::secret::TokenHash;
use dbeast::transcript::words;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// What a call carries.
#[derive(Default)]
struct Call<'a> {
    key: Option<&'a str>,
    token: Option<&'a str>,
    generation: Option<u64>,
    label: Option<String>,
    request: Option<&'a str>,
    refused: Option<&'a str>,
    writes: Option<&'a str>,
    version: Option<u64>,
    touches_all_rows: bool,
    is_answered: bool,
    is_taken_back: bool,
}

pub(super) fn act(world: &mut World, name: &str, deed: &str, block: &[String]) -> Told<()> {
    let mut call = Call::default();
    let mut clauses = clauses(deed).into_iter();
    let deed = clauses.next().unwrap_or_default();
    for clause in clauses {
        carry(&mut call, clause)?;
    }
    let (deed, times) = times(deed);
    for _ in 0..times {
        act_once(world, name, deed, block, &call)?;
    }
    Ok(())
}

/// Splits at `, ` outside quotes.
fn clauses(deed: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut is_quoted) = (0, false);
    for (index, character) in deed.char_indices() {
        is_quoted ^= character == '"';
        if !is_quoted && deed[index..].starts_with(", ") {
            parts.push(&deed[from..index]);
            from = index + 2;
        }
    }
    parts.push(&deed[from..]);
    parts
}

fn carry<'a>(call: &mut Call<'a>, clause: &'a str) -> Told<()> {
    if let Some(key) = clause.strip_prefix("with key ") {
        call.key = Some(key);
    } else if let Some(token) = clause.strip_prefix("with the token of ") {
        call.token = Some(token);
    } else if let Some(generation) = clause.strip_prefix("with its text verified under sg") {
        call.generation = Some(generation.parse().map_err(|_| "sg and a number")?);
    } else if let Some(label) = clause.strip_prefix("with the label ") {
        call.label = Some(quoted(label)?);
    } else if let Some(id) = clause.strip_prefix("with the identifier ") {
        call.request = Some(id);
    } else if let Some(reason) = clause.strip_prefix("refused by the text: ") {
        call.refused = Some(reason);
    } else if let Some(table) = clause.strip_prefix("as a write of ") {
        call.writes = Some(table);
    } else if let Some(version) = clause.strip_prefix("as it was in v") {
        call.version = Some(version.parse().map_err(|_| "v and a number")?);
    } else if clause == "of all rows" {
        call.touches_all_rows = true;
    } else if clause == "each answered" {
        call.is_answered = true;
    } else if clause == "each taken back" {
        call.is_taken_back = true;
    } else {
        return Err(format!("a call cannot carry `{clause}`"));
    }
    Ok(())
}

fn act_once(
    world: &mut World,
    name: &str,
    deed: &str,
    block: &[String],
    call: &Call<'_>,
) -> Told<()> {
    let client = world.agent(name)?.id.clone();
    let token_hash = token_of(world, name, call)?;
    let (verb, object) = deed.split_once(' ').ok_or("an agent does something to something")?;
    match (verb, object) {
        ("begins", "a session") => begin(world, name, call),
        ("ends", "its session") => world.send(SessionEvent::Ended { client, token_hash }).map(drop),
        ("uses", id) => {
            world.send(SessionEvent::Used { client, session: SessionId::new(id) }).map(drop)
        }
        ("cancels", id) => {
            let request = RequestId::new(id);
            world.send(RequestEvent::Cancelled { client, token_hash, request }).map(drop)
        }
        ("looks", "at the catalog") => {
            world.seen = Some(catalog(world, name)?);
            Ok(())
        }
        ("looks", object) => {
            let id = object.strip_prefix("at ").ok_or("an agent looks at something")?;
            world.seen = Some(look(world, name, &token_hash, id)?);
            Ok(())
        }
        ("queries", source) => {
            let block = Block::read(block)?;
            let operation = match call.refused {
                Some(code) => refused(TextTool::QuerySql, &block.text, code)?,
                None => Operation::QuerySql { read: block.verified() },
            };
            submit(world, name, source, operation, call)
        }
        ("requests", source) => {
            let operation = full_sql(&Block::read(block)?, call)?;
            submit(world, name, source, operation, call)
        }
        ("reads", object) if object.starts_with("bytes ") => {
            read_file(world, name, object, &Block::read(block)?, call)
        }
        ("lists", object) => {
            let source = object.strip_prefix("the tables of ").ok_or("it lists the tables of …")?;
            submit(world, name, source, Operation::ListTables, call)
        }
        ("describes", object) => {
            let (table, source) = split(object, " of ")?;
            let operation = describe(table, &Block::read(block)?, call)?;
            submit(world, name, source, operation, call)
        }
        ("reads", object) => {
            let (table, source) = split(object, " of ")?;
            let operation = read_table(table, &Block::read(block)?, call)?;
            submit(world, name, source, operation, call)
        }
        _ => Err(format!("an agent cannot `{deed}`")),
    }
}

/// The token that comes with the call: its own newest, or the one that the call carries.
fn token_of(world: &World, name: &str, call: &Call<'_>) -> Told<TokenHash> {
    let session = match call.token {
        Some(session) => Some(SessionId::new(session)),
        None => world.agent(name)?.session.clone(),
    };
    let known = session.and_then(|session| world.tokens.get(&session).copied());
    Ok(known.unwrap_or_else(|| token("session", call.token.unwrap_or("nobody"))))
}

fn begin(world: &mut World, name: &str, call: &Call<'_>) -> Told<()> {
    let client = world.agent(name)?.id.clone();
    let session = SessionId::new(&format!("s{}", world.tokens.len() + 1));
    let token_hash = match call.token {
        Some(other) => {
            let known = world.tokens.get(&SessionId::new(other)).copied();
            known.unwrap_or_else(|| token("session", other))
        }
        None => token("session", session.as_str()),
    };
    let label = call.label.as_deref().map(Arc::from);
    let event = SessionEvent::Began { client, session: session.clone(), token_hash, label };
    if world.send(event)?.is_ok() {
        world.tokens.insert(session.clone(), token_hash);
        world.agents.get_mut(name).expect("known above").session = Some(session);
    }
    Ok(())
}

fn submit(
    world: &mut World,
    name: &str,
    asked: &str,
    operation: Operation,
    call: &Call<'_>,
) -> Told<()> {
    let client = world.agent(name)?.id.clone();
    let fresh = format!("r{}", world.requests_made + 1);
    let key = if let Some(key) = call.key {
        key.to_owned()
    } else {
        world.keys_made += 1;
        format!("k{}", world.keys_made)
    };
    let target = target(world, name, asked, call)?;
    let submission = Submission {
        request: RequestId::new(call.request.unwrap_or(&fresh)),
        token_hash: token_of(world, name, call)?,
        key: RequestKey::new(&key),
        digest: digest(asked, &target, &operation),
        client,
        target,
        operation,
    };
    let (client, token_hash) = (submission.client.clone(), submission.token_hash);
    let request = submission.request.clone();
    let answer = world.send(RequestEvent::Submitted(Box::new(submission)))?;
    let is_new = matches!(answer, Ok(Answer::Request { is_new: true, .. }));
    world.requests_made += u64::from(is_new && call.request.is_none());
    if is_new && call.is_answered {
        database::act(world, asked, "answers 1 row")?;
    }
    if is_new && call.is_taken_back {
        world.send(RequestEvent::Cancelled { client, token_hash, request })?.ok();
    }
    Ok(())
}

/// As the agents' door does it: the text is verified for a source that is visible just then, and a range
/// is cut from the snapshot that is there just then.
fn target(world: &World, name: &str, asked: &str, call: &Call<'_>) -> Told<Target> {
    let client = &world.agent(name)?.id;
    if let Some(file) = world.files.get(asked) {
        let seen = world.state.document_of(client, file).map(|document| document.version);
        let version = call.version.map(DocumentVersion).or(seen).unwrap_or_default();
        return Ok(Target::Document { file: file.clone(), version });
    }
    let source = world.asked_source(asked);
    let seen = read::source(&world.state, client, &source).map(|source| source.generation);
    let generation = call.generation.map(SourceGeneration).or(seen).unwrap_or_default();
    Ok(Target::Source { source, generation })
}

/// `bytes 0 to 5 of notes`: the range as it is in the document now, whether shared or not.
fn read_file(
    world: &mut World,
    name: &str,
    object: &str,
    block: &Block,
    call: &Call<'_>,
) -> Told<()> {
    let (range, file) = split(object, " of ")?;
    let (from, to) = split(range.trim_start_matches("bytes "), " to ")?;
    let number = |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is no number"));
    let (from, to) = (number(from)?, number(to)?);
    let start = u64::try_from(from).map_err(|error| error.to_string())?;
    if let Some(excerpt) = block.excerpt(world, start)? {
        return submit(world, name, file, Operation::ReadOpenFile { excerpt }, call);
    }
    let id = world.files.get(file).cloned().unwrap_or_else(|| FileId::new(file));
    let text = world.state.documents.get(&id).and_then(|document| document.text.text().cloned());
    let text = text.unwrap_or_default();
    let range = text.get(from..to.min(text.len())).unwrap_or_default().to_owned();
    let excerpt = Excerpt {
        from: start,
        text: world.withhold(&range),
        snapshot_bytes: u64::try_from(text.len()).map_err(|error| error.to_string())?,
    };
    submit(world, name, file, Operation::ReadOpenFile { excerpt }, call)
}

/// The runner stands in for `sql`: it takes the agent's word that the text is a write of one table, and
/// writes it again in capitals.
fn full_sql(block: &Block, call: &Call<'_>) -> Told<Operation> {
    let sql = &*block.text;
    let own = block.write.clone().unwrap_or_else(|| sql.to_uppercase());
    let write = match call.writes {
        Some(table) => Some(Arc::new(VerifiedWrite {
            sql: Arc::from(own),
            table: table_name(table)?,
            columns: block.columns(),
            touches_all_rows: call.touches_all_rows,
        })),
        None => None,
    };
    Ok(Operation::RequestSql { sql: Arc::from(sql), write })
}

/// `main.orders`, or `a table` with the table or the refused text below.
fn describe(table: &str, block: &Block, call: &Call<'_>) -> Told<Operation> {
    match call.refused {
        Some(code) => refused(TextTool::DescribeTable, &block.text, code),
        None if table == "a table" => Ok(Operation::DescribeTable { table: block.table()? }),
        None => Ok(Operation::DescribeTable { table: table_name(table)? }),
    }
}

/// `main.orders`, or `a table` with the text that was made of the arguments below.
fn read_table(table: &str, block: &Block, call: &Call<'_>) -> Told<Operation> {
    if let Some(code) = call.refused {
        return refused(TextTool::ReadTable, &block.text, code);
    }
    if table == "a table" {
        return Ok(Operation::ReadTable { read: block.verified() });
    }
    let name = table_name(table)?;
    let read = VerifiedRead {
        sql: Arc::from(format!("SELECT * FROM {table} LIMIT 500")),
        tables: vec![name.clone()],
        columns: vec![(name, "id".to_owned())],
    };
    Ok(Operation::ReadTable { read: Arc::new(read) })
}

fn refused(tool: TextTool, sql: &str, code: &str) -> Told<Operation> {
    let reason = SqlReason::ALL.iter().find(|reason| reason.code() == code);
    let reason = *reason.ok_or_else(|| format!("`{code}` is no reason for refusing a text"))?;
    Ok(Operation::Refused { text: RefusedText { tool, sql: Arc::from(sql), reason } })
}

/// What the agent said: of a document also which snapshot, of a source not its generation.
fn digest(asked: &str, target: &Target, operation: &Operation) -> ArgumentsDigest {
    let version = match target {
        Target::Source { .. } => String::new(),
        Target::Document { version, .. } => format!(" {version}"),
    };
    let said = format!("{asked}{version} {}", words::operation(operation));
    ArgumentsDigest(Sha256::digest(said).into())
}

fn look(world: &World, name: &str, token_hash: &TokenHash, id: &str) -> Told<String> {
    let client = &world.agent(name)?.id;
    let reading = read::request(&world.state, client, token_hash, &RequestId::new(id), world.now);
    Ok(words::reading(&reading))
}

/// What an agent sees: of sources identifier, alias, engine and its own levels, of documents identifier,
/// alias, kind and version.
fn catalog(world: &World, name: &str) -> Told<String> {
    let client = &world.agent(name)?.id;
    let sources = read::catalog(&world.state, client).into_iter().map(|entry| {
        let (alias, engine) = (&entry.details.alias, entry.details.location.engine().word());
        let tables = entry.tables.iter().map(|(table, level)| format!(" {table}={}", level.word()));
        let tables = tables.collect::<String>();
        format!("{} \"{alias}\" {engine} {}{tables}", entry.source, entry.level.word())
    });
    let documents = read::documents(&world.state, client).into_iter().map(|(file, document)| {
        format!("{file} \"{}\" {} {}", document.alias, document.kind.word(), document.version)
    });
    let entries: Vec<String> = sources.chain(documents).collect();
    Ok(if entries.is_empty() { "nothing".to_owned() } else { entries.join(", ") })
}
