//! `given …`: the scene. Each is made of the same events as the steps, and none may be refused.

use super::super::Told;
use super::super::world::World;
use super::{agent, database, person, split};

pub(super) fn set(world: &mut World, scene: &str) -> Told<()> {
    if scene == "the server runs" {
        run_server(world)?;
    } else if let Some(name) = scene.strip_prefix("an agent ") {
        person::act(world, &format!("connects {name}"))?;
    } else if let Some(name) = scene.strip_prefix("a database ") {
        person::act(world, &format!("adds {name}"))?;
    } else if let Some(object) = scene.strip_prefix("a document ") {
        person::act(world, &format!("opens {object}"))?;
    } else if let Some((name, file)) = scene.split_once(" sees ") {
        see(world, name, file)?;
    } else if let Some((name, rest)) = scene.split_once(" may read ") {
        grant_many(world, name, rest)?;
    } else if let Some((number, rest)) = scene.split_once(" agents ") {
        let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
        let rest = rest.strip_prefix("work on ").ok_or("agents work on a database")?;
        for index in 1..=number {
            work(world, &format!("agent{index}"), rest)?;
        }
    } else {
        let (name, rest) = split(scene, " works on ")?;
        work(world, name, rest)?;
    }
    let refused =
        world.occurrences.iter().find_map(|occurrence| occurrence.step.answer.as_ref().err());
    match refused {
        Some(why) => Err(format!("the scene was refused: {}", why.message())),
        None => Ok(()),
    }
}

fn run_server(world: &mut World) -> Told<()> {
    if world.state.server.port.is_none() {
        person::act(world, "starts the server")?;
    }
    Ok(())
}

/// `claude works on shop: ask` — everything that it takes, session included.
fn work(world: &mut World, name: &str, rest: &str) -> Told<()> {
    let (source, level) = split(rest, ": ")?;
    run_server(world)?;
    let is_there = world.sources.get(source).is_some_and(|id| world.state.sources.contains_key(id));
    if !is_there {
        person::act(world, &format!("adds {source}"))?;
    }
    connect(world, name)?;
    person::act(world, &format!("shares {source} with {name}: {level}"))?;
    converse(world, name)
}

/// `claude sees notes` — an open document is shared with an agent in a session.
fn see(world: &mut World, name: &str, file: &str) -> Told<()> {
    run_server(world)?;
    connect(world, name)?;
    person::act(world, &format!("shares {file} with {name}: ask"))?;
    converse(world, name)
}

/// `claude may read 64 tables of shop` — each by its own grant for the session.
fn grant_many(world: &mut World, name: &str, rest: &str) -> Told<()> {
    let (number, source) = split(rest, " tables of ")?;
    let number: u8 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    for index in 1..=number {
        let table = format!("main.table{index}");
        agent::act(world, name, &format!("describes {table} of {source}"), &[])?;
        let request = world.requests_made;
        person::act(world, &format!("allows r{request} for the session: table"))?;
        database::act(world, source, &format!("answers 1 column, {table} is object {index}"))?;
    }
    Ok(())
}

fn converse(world: &mut World, name: &str) -> Told<()> {
    let has_session = world
        .agent(name)?
        .session
        .as_ref()
        .is_some_and(|session| world.state.sessions.contains_key(session));
    if !has_session {
        agent::act(world, name, "begins a session", &[])?;
    }
    Ok(())
}

fn connect(world: &mut World, name: &str) -> Told<()> {
    let is_connected =
        world.agents.get(name).is_some_and(|agent| world.state.clients.contains_key(&agent.id));
    if is_connected { Ok(()) } else { person::act(world, &format!("connects {name}")) }
}
