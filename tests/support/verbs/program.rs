//! `clock …`, `alarm …` and `dbeast …`: time and the program itself.

use super::super::Told;
use super::super::world::World;
use super::{document, length, split};
use dbeast::events::{Notice, RequestEvent, ServerEvent, WriteEstimate};
use dbeast::ids::RequestId;
use dbeast::time::Millis;
use dbeast::transcript::names::{NOTICES, notice};

/// `clock 2s` moves time and rings the alarm on its way. `clock 2s without the alarm` is a timer
/// that sleeps: the next event finds the time passed. `clock back 1h` is a system clock that was set.
pub(super) fn clock(world: &mut World, deed: &str) -> Told<()> {
    if let Some(words) = deed.strip_prefix("back ") {
        world.now = Millis(world.now.0 - length(words)?.0);
        return Ok(());
    }
    let (words, rings) = match deed.strip_suffix(" without the alarm") {
        Some(words) => (words, false),
        None => (deed, true),
    };
    let until = world.now.plus(length(words)?);
    while let Some(at) = world.state.alarm.filter(|at| rings && *at <= until) {
        world.now = world.now.max(at);
        world.send(ServerEvent::TimePassed)?.map_err(|why| why.message().to_owned())?;
        if world.state.alarm == Some(at) {
            return Err("the alarm rang and is still set to the same time".to_owned());
        }
    }
    world.now = until;
    Ok(())
}

/// `alarm rings early`: a timer is no clock.
pub(super) fn alarm(world: &mut World, deed: &str) -> Told<()> {
    if deed != "rings early" {
        return Err("the alarm only `rings early`; otherwise the clock rings it".to_owned());
    }
    world.send(ServerEvent::TimePassed).map(drop)
}

pub(super) fn act(world: &mut World, deed: &str) -> Told<()> {
    match deed.split_once(' ') {
        None if deed == "restarts" => world.restart(1),
        Some(("restarts", "from a vault that holds each connection twice")) => world.restart(2),
        Some(("restores", "again")) => world.send(world.saved()).map(drop),
        Some(("notices", code)) => {
            world.send(ServerEvent::NoticeRaised { notice: find(code)? }).map(drop)
        }
        Some(("forgets", code)) => {
            world.send(ServerEvent::NoticeCleared { notice: find(code)? }).map(drop)
        }
        Some(("estimates", object)) => estimate(world, object),
        _ => Err(format!("dbeast cannot `{deed}`")),
    }
}

/// `r1: 7 rows, by "the plan"`, or `some rows` where the database does not say how many.
fn estimate(world: &mut World, object: &str) -> Told<()> {
    let (request, rest) = split(object, ": ")?;
    let (rows, plan) = split(rest, ", by ")?;
    let number = rows.split(' ').next().unwrap_or_default();
    let rows = match number {
        "some" => None,
        number => Some(number.parse().map_err(|_| format!("`{number}` is no number"))?),
    };
    let estimate = WriteEstimate { rows, plan: document::text(world, plan)? };
    let request = RequestId::new(request);
    world.send(RequestEvent::Estimated { request, estimate }).map(drop)
}

fn find(code: &str) -> Told<Notice> {
    const ALL: [Notice; NOTICES.len()] = [
        Notice::VaultInMemory,
        Notice::VaultUnavailable,
        Notice::VaultOfOtherOwner,
        Notice::VaultNotSaved,
        Notice::ConfigurationNotSaved,
        Notice::PasswordsUnavailable,
        Notice::PasswordsNotSaved,
    ];
    let known = ALL.iter().find(|known| notice(known).ends_with(code));
    known.copied().ok_or_else(|| format!("`{code}` is no notice"))
}
