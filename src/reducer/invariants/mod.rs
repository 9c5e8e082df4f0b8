//! What always holds, each with an id that stories and documents quote. The same predicates run after
//! every step of the program, of every story and of the model.

mod grants;
mod limits;
mod requests;
mod sessions;
mod tasks;

use super::state::State;

/// One invariant.
pub struct Invariant {
    /// Short id, never reused.
    pub id: &'static str,
    /// What holds, in one sentence.
    pub sentence: &'static str,
    /// Whether it holds between a state and the one before it.
    pub holds: fn(before: &State, after: &State) -> bool,
}

/// The catalogue.
pub const CATALOGUE: &[Invariant] = &[
    Invariant {
        id: "C-1",
        sentence: "There are at most 16 connections, and no two have the same token.",
        holds: sessions::tokens_are_of_one_client,
    },
    Invariant {
        id: "S-1",
        sentence: "A live session belongs to a live connection, which has no other.",
        holds: sessions::each_client_has_one,
    },
    Invariant {
        id: "S-2",
        sentence: "No session lives while the agents' door is closed, nor past its time.",
        holds: sessions::none_outlives_its_time,
    },
    Invariant {
        id: "S-3",
        sentence: "Nothing resurrects an ended session: one that was not there before is new and empty.",
        holds: sessions::a_new_one_is_empty,
    },
    Invariant {
        id: "H-1",
        sentence: "An entry of the sharing table is about a resource and a connection that exist.",
        holds: sessions::sharing_is_about_what_exists,
    },
    Invariant {
        id: "G-1",
        sentence: "A one-time grant covers one waiting request that the person allowed, and no request has two.",
        holds: grants::once_is_for_one_waiting_request,
    },
    Invariant {
        id: "G-2",
        sentence: "Nothing starts without a grant used up in that step, or access that covers it at that moment.",
        holds: grants::nothing_starts_without,
    },
    Invariant {
        id: "G-3",
        sentence: "A session has at most one grant for each scope.",
        holds: grants::one_per_scope,
    },
    Invariant {
        id: "G-4",
        sentence: "A session grant is of a live session, about a resource that its connection still sees as it was.",
        holds: grants::stand_on_what_is_there,
    },
    Invariant {
        id: "G-5",
        sentence: "The identity that a table grant has pinned never changes.",
        holds: grants::identity_stays,
    },
    Invariant {
        id: "R-1",
        sentence: "A request belongs to a live session of its connection.",
        holds: requests::belong_to_a_session,
    },
    Invariant {
        id: "R-2",
        sentence: "A request runs exactly while its task holds a slot and was not told to stop.",
        holds: requests::run_while_their_task_does,
    },
    Invariant {
        id: "R-3",
        sentence: "Exactly the completed requests have a result; exactly the other final ones a problem.",
        holds: requests::have_a_result_or_a_problem,
    },
    Invariant {
        id: "R-4",
        sentence: "A status moves only along the contract's graph.",
        holds: requests::move_along_the_graph,
    },
    Invariant {
        id: "R-5",
        sentence: "At most 4 requests wait per session, 32 in all, and 64 are kept.",
        holds: requests::stay_within_their_limits,
    },
    Invariant {
        id: "R-6",
        sentence: "A request that waits, runs or has a result is still covered by what it stands on.",
        holds: requests::stay_covered,
    },
    Invariant {
        id: "R-7",
        sentence: "What was asked never changes: who, on what, which text, within which time.",
        holds: requests::are_immutable,
    },
    Invariant {
        id: "R-8",
        sentence: "An estimate is of a write of one table about which the person has not decided, and it stays until they have.",
        holds: requests::estimates_are_of_undecided_writes,
    },
    Invariant {
        id: "K-1",
        sentence: "A key of a live session never goes away or changes, and each request has its key.",
        holds: requests::keys_stay,
    },
    Invariant {
        id: "K-2",
        sentence: "One key makes one request, and no request has more than one task, ever.",
        holds: requests::keys_run_once,
    },
    Invariant {
        id: "W-1",
        sentence: "A statement that may write is sent at most once, only while its request is covered, never on a read-only source.",
        holds: tasks::writes_are_sent_once,
    },
    Invariant {
        id: "W-2",
        sentence: "A request whose statement was sent never ends as if nothing had taken effect, unless its database said so.",
        holds: tasks::sent_writes_end_truly,
    },
    Invariant {
        id: "T-1",
        sentence: "At most 4 tasks hold a slot, 1 per session, cancelled ones included.",
        holds: tasks::stay_within_their_slots,
    },
    Invariant {
        id: "T-2",
        sentence: "Whatever has a deadline has an alarm no later than it.",
        holds: tasks::alarm_rings_in_time,
    },
    Invariant {
        id: "T-3",
        sentence: "A slot is freed one at a time, by the end of its own task, and never taken by an old number.",
        holds: tasks::slots_are_freed_singly,
    },
    Invariant {
        id: "T-4",
        sentence: "The alarm is set for exactly the earliest deadline there is.",
        holds: tasks::alarm_is_the_earliest_deadline,
    },
    Invariant {
        id: "T-5",
        sentence: "Nothing that may run waits while there is a slot for it.",
        holds: tasks::nothing_waits_for_a_free_slot,
    },
    Invariant {
        id: "A-1",
        sentence: "The activity list keeps at most 100 entries, and at most 50 that agents make at will.",
        holds: limits::activity,
    },
    Invariant {
        id: "L-1",
        sentence: "No count exceeds its limit: sources, documents and their sizes, grants, shared tables, keys.",
        holds: limits::counts,
    },
];

/// The ids of the invariants that do not hold. Empty is the only good answer.
#[must_use]
pub fn broken(before: &State, after: &State) -> Vec<&'static str> {
    CATALOGUE
        .iter()
        .filter(|invariant| !(invariant.holds)(before, after))
        .map(|invariant| invariant.id)
        .collect()
}
