//! The driver for MySQL and MariaDB against private servers: what it proves, what it refuses and for which reason, how
//! it fails when servers do, and what it never makes run.
//!
//! `tests/servers` says how a test gets a server, a database and an account. Tests in `on_mysql` are left out, and said to be,
//! where MySQL cannot be had.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it measured"
)]

#[allow(dead_code, reason = "made for the tests of that engine")]
#[path = "drivers/common.rs"]
mod common;
#[path = "drivers/contract/mod.rs"]
mod contract;
#[path = "postgres/bench.rs"]
mod postgres_bench;
mod servers;
#[path = "drivers/sqlite_bench.rs"]
mod sqlite_bench;
mod mysql {
    pub(crate) mod bench;
    pub(crate) mod canary;
    mod common;
    pub(crate) mod everywhere;
    pub(crate) mod faults;
    pub(crate) mod locks;
    pub(crate) mod proof;
    pub(crate) mod refused_connections;
    pub(crate) mod sessions;
    pub(crate) mod stopping;
    pub(crate) mod sweep;
    pub(crate) mod values;
}

/// One test on each server for each of these functions.
macro_rules! on_both {
    ($($part:ident: $($name:ident),+;)+) => {
        on_one! { on_mysql, Mysql; $($part: $($name),+;)+ }
        on_one! { on_mariadb, Mariadb; $($part: $($name),+;)+ }
    };
}

macro_rules! on_one {
    ($place:ident, $kind:ident; $($part:ident: $($name:ident),+;)+) => {
        mod $place {
            use crate::mysql::bench::MysqlBench;
            use crate::servers::mysql::Kind;
            crate::contract::suite!(MysqlBench::new(Kind::$kind));
            $(mod $part {
                use crate::servers::mysql::Kind;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    crate::mysql::$part::$name(Kind::$kind).await;
                })+
            })+
        }
    };
}

on_both! {
    canary: no_read_makes_it_sing, the_server_keeps_it_out_of_tables,
        a_write_sings_by_its_triggers_only;
    everywhere: the_page_says_what_each_engine_writes;
    faults: a_killed_server_is_lost_and_found_again,
        a_full_statement_of_a_killed_server_is_of_unknown_outcome,
        a_network_that_breaks_at_the_gate_changes_nothing,
        a_network_that_breaks_at_the_end_leaves_the_outcome_unknown,
        a_network_that_stalls_ends_at_the_deadline;
    locks: others_write_while_an_agent_reads_and_change_nothing_else,
        a_table_is_the_proven_one_when_it_is_read, a_locked_table_is_said_to_be_locked;
    proof: every_case_is_judged, other_databases_are_out_of_reach, privileges_are_needed,
        letters_are_spelled_as_the_server_spells_them;
    refused_connections: each_has_its_reason, an_expired_password_is_a_refused_login, a_silent_server_is_left_after_fifteen_seconds, a_server_that_wants_a_file_gets_none,
        a_full_server_says_so, hostile_settings_change_nothing, a_read_only_server_is_read,
        names_without_case_are_those_of_the_catalog;
    sessions: a_session_that_was_changed_is_closed, a_default_role_counts;
    stopping: the_server_knows_the_bound, the_server_stops_a_join_by_itself,
        a_stopped_read_is_gone_when_the_driver_answers;
    sweep: a_read_only_transaction_bears_most_of_the_load,
        what_the_transaction_lets_through_others_hold;
    values: each_type_has_its_text, names_of_columns_may_repeat_and_be_odd,
        rows_inside_a_statement_are_not_cut, values_beyond_the_limits_are_passed_over;
}
