//! The model checker over the real `reduce`: every order of moves of two agents, the person, the
//! database and time, within bounds, and all rules after each.
//!
//! Start with `model/moves.rs` (the moves), then `model/spaces.rs` (which of them make a space), `node.rs`
//! (when two states count as one, and why), `rules.rs` (what is checked) and `wrong.rs` (faults that
//! it must find). Every space is explored whole, so the number of its states is always the same. The
//! large ones are explored by an optimised build only:
//!
//! ```text
//! cargo test --no-default-features --profile model --test model -- --nocapture
//! ```
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::match_bool,
    clippy::print_stdout,
    clippy::similar_names,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test stops at the first surprise, and says how long it took"
)]

mod model {
    pub(crate) mod machine;
    pub(crate) mod moves;
    pub(crate) mod node;
    pub(crate) mod rules;
    pub(crate) mod spaces;
    pub(crate) mod wrong;
}
mod support;

use dbeast::reducer::state::Status;
use model::machine::{Machine, Space};
use model::moves::Move;
use model::node::Node;
use model::{rules, spaces, wrong};
use stateright::{Checker, Expectation, HasDiscoveries, Model, Path};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;
use support::{story, transcript};

/// Explores a whole space. Gives the number of its distinct states.
fn explore(space: Space) -> usize {
    let began = Instant::now();
    let machine = Machine::new(space);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let checker = machine.clone().checker().threads(threads).spawn_bfs().join();
    let (unique, steps) = (checker.unique_state_count(), checker.state_count());
    let (name, depth) = (machine.space.name, checker.max_depth());
    let seconds = began.elapsed().as_secs_f32();
    println!(
        "say: {name}: {unique} states by {steps} steps, at most {depth} moves, {seconds:.1} s"
    );
    let discoveries = checker.discoveries();
    for property in machine.properties() {
        let found = discoveries.get(property.name);
        match property.expectation {
            Expectation::Always => {
                let told = found.map(|path| tell(&machine, property.name, path));
                assert!(told.is_none(), "{name}: {}", told.unwrap_or_default());
            }
            _ => assert!(found.is_some(), "{name}: nothing is ever {}", property.name),
        }
    }
    unique
}

/// A path as a story.
fn tell(machine: &Machine, title: &str, path: &Path<Node, Move>) -> String {
    let steps = path.clone().into_vec();
    let moves = machine.opening().into_iter().chain(steps.iter().filter_map(|(_, made)| *made));
    let lines: Vec<String> = moves.map(Move::line).collect();
    let last = path.last_state();
    let broken = rules::names(last.broken);
    let broken = match broken.is_empty() {
        true => String::new(),
        false => format!(" The last line breaks {}.", broken.join(", ")),
    };
    let waiting: Vec<String> = last.state.tasks.keys().map(ToString::to_string).collect();
    let waiting = match waiting.is_empty() {
        true => String::new(),
        false => format!("expect waiting {}\n", waiting.join(", ")),
    };
    format!("# {title}\nFound by the model checker.{broken}\n\n{}\n{waiting}", lines.join("\n"))
}

/// What only an optimised build does. `scripts/test.sh` has a step for it.
mod optimised {
    use super::{explore, spaces};

    #[test]
    #[cfg_attr(
        debug_assertions,
        ignore = "two million states: runs optimised (cargo test --no-default-features --profile model --test model)"
    )]
    fn every_space_is_explored_whole_and_no_rule_is_broken() {
        let mut all = 0;
        for (space, expected) in [
            (spaces::reads(), 216_522),
            (spaces::writes(), 574_567),
            (spaces::agents(), 219_617),
            (spaces::restart(), 353_908),
            (spaces::time(), 721_655),
        ] {
            let name = space.name;
            let states = explore(space);
            assert_eq!(states, expected, "{name} has another number of states");
            all += states;
        }
        println!("say: {all} states in all");
        assert!(all >= 1_000_000, "that is not much");
    }
}

#[test]
fn a_small_space_is_explored_whole_and_no_rule_is_broken() {
    assert_eq!(explore(spaces::small()), 6_736);
}

#[test]
fn every_final_status_is_reached_by_some_space() {
    let spaces =
        [spaces::reads(), spaces::writes(), spaces::agents(), spaces::restart(), spaces::time()];
    let reached: BTreeSet<Status> = spaces.into_iter().flat_map(|space| space.reached).collect();
    let missing: Vec<Status> = Status::ALL
        .into_iter()
        .filter(|status| status.is_final() && !reached.contains(status))
        .collect();
    assert!(missing.is_empty(), "no space says that it reaches {missing:?}");
}

#[test]
fn every_fault_is_found_and_told_as_a_story() {
    for (fault, rule, step) in wrong::FAULTS {
        let machine = Machine { step, ..Machine::new(spaces::small()) };
        let checker = machine.clone().checker();
        let checker = checker.finish_when(HasDiscoveries::AnyFailures).spawn_bfs().join();
        let failures = machine.properties().into_iter().filter_map(|property| {
            let path = checker.discovery(property.name)?;
            matches!(property.expectation, Expectation::Always).then_some((property.name, path))
        });
        let failures: BTreeMap<&str, Path<Node, Move>> = failures.collect();
        let path = failures.values().next().expect(fault);
        let broken = rules::names(path.last_state().broken);
        assert!(broken.contains(&rule), "{fault}: it breaks {broken:?}");
        let told = tell(&machine, fault, path);
        let parsed = story::parse(&told);
        assert!(parsed.is_ok(), "{told}: {:?}", parsed.err());
    }
}

/// What the checker prints is the story of what it found: played, it ends in the same status.
#[test]
fn a_path_reads_as_a_story_that_plays() {
    let machine = Machine::new(spaces::small());
    let reached = machine.space.reached.iter().map(|status| status.word()).collect();
    let checker = machine.clone().checker().finish_when(HasDiscoveries::AllOf(reached));
    let checker = checker.spawn_bfs().join();
    for status in &machine.space.reached {
        let path = checker
            .discovery(status.word())
            .unwrap_or_else(|| panic!("nothing is ever {}", status.word()));
        let told = tell(&machine, status.word(), &path);
        let played = story::parse(&told).and_then(|story| transcript::play(&story));
        let (_, world) = played.unwrap_or_else(|error| panic!("{told}: {error}"));
        let kept = world.state.requests.values().any(|request| request.status == *status);
        assert!(kept, "{told}");
    }
}

/// States that count as one have the same moves' worth of next states, whatever their history. Random
/// walks with everything in them, also time, meet such states by different ways.
#[test]
fn what_counts_as_one_state_goes_on_as_one() {
    // By form: the whole states that had it, and the forms that follow.
    type Met = (BTreeSet<u64>, BTreeSet<Vec<u8>>);
    let machine = Machine::new(Space { jumps: 2, is_ended: true, ..spaces::small() });
    let mut known: BTreeMap<Vec<u8>, Met> = BTreeMap::new();
    let mut dice = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..120 {
        let mut node = machine.init_states().remove(0);
        for _ in 0..24 {
            let steps = machine.next_steps(&node);
            let next: BTreeSet<Vec<u8>> = steps.iter().map(|(_, next)| next.form()).collect();
            let mut whole = DefaultHasher::new();
            let state = dbeast::reducer::State { seq: 0, ..node.state.clone() };
            state.hash(&mut whole);
            let entry = known.entry(node.form()).or_insert_with(|| (BTreeSet::new(), next.clone()));
            entry.0.insert(whole.finish());
            assert!(entry.1 == next, "two states count as one and go on as two: {node:?}");
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            let pick = usize::try_from(dice % steps.len() as u64).unwrap();
            node = steps[pick].1.clone();
        }
    }
    let merged = known.values().filter(|(wholes, _)| wholes.len() > 1).count();
    assert!(merged > 100, "only {merged} of {} forms were met twice", known.len());
}
