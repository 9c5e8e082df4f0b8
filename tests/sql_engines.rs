//! What the proof accepts, on the real engines: it runs, it means what was sent, and it touches nothing
//! else.
//!
//! `UPDATE_ROWS=1 cargo test --test sql_engines rows_are_as_expected` writes `tests/sql/<dialect>/rows.jsonl`
//! from the texts that were sent. A statement that its engine refuses needs a reason there: in `error` if
//! it refuses both texts, in `original` if only the text that was sent; those are kept. Read the
//! difference before it is committed.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it counted"
)]

mod servers;
mod engines {
    pub(crate) mod authorizer;
    pub(crate) mod chance;
    pub(crate) mod corpus;
    pub(crate) mod meaning;
    pub(crate) mod plans;
    pub(crate) mod rows;
    pub(crate) mod target;
}

use dbeast::value::Engine;
use engines::{authorizer, meaning, plans, rows};

mod on_sqlite {
    use super::{Engine, authorizer, meaning, rows};

    #[test]
    fn rows_are_as_expected() {
        rows::check(Engine::Sqlite);
    }

    #[test]
    fn statements_by_chance_keep_their_meaning() {
        meaning::check(Engine::Sqlite, None, authorizer::look());
    }

    #[test]
    fn the_authorizer_sees_only_the_verified_tables() {
        authorizer::check();
    }

    #[test]
    fn the_look_at_the_authorizer_can_fail() {
        authorizer::check_itself();
    }
}

mod on_postgres {
    use super::{Engine, meaning, plans, rows};

    #[test]
    fn rows_are_as_expected() {
        rows::check(Engine::Postgres);
    }

    #[test]
    fn statements_by_chance_keep_their_meaning() {
        meaning::check(
            Engine::Postgres,
            Some("SET standard_conforming_strings = off"),
            plans::look(Engine::Postgres),
        );
    }

    #[test]
    fn rows_are_the_same_under_other_settings() {
        rows::check_settings(
            Engine::Postgres,
            &[
                "SET standard_conforming_strings = off",
                "SET search_path = public, pg_catalog",
                "SET transform_null_equals = on",
            ],
        );
    }

    #[test]
    fn plans_and_locks_name_only_the_verified_tables() {
        plans::check(Engine::Postgres);
    }

    #[test]
    fn the_look_at_plans_and_locks_can_fail() {
        plans::check_itself(Engine::Postgres);
    }
}

/// Settings of MySQL and MariaDB that change what a text means. MySQL must never have
/// `NO_BACKSLASH_ESCAPES`: see `on_mysql::no_backslash_escapes_makes_sql_of_a_literal`.
const MODES: [&str; 5] = [
    "SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')",
    "SET sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')",
    "SET sql_mode = CONCAT(@@sql_mode, ',HIGH_NOT_PRECEDENCE')",
    "SET sql_mode = CONCAT(@@sql_mode, ',IGNORE_SPACE')",
    "SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,IGNORE_SPACE')",
];

/// What MariaDB may have besides.
const MARIADB_MODES: [&str; 2] = [
    "SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')",
    "SET sql_mode = CONCAT(@@sql_mode, \
     ',ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE,IGNORE_SPACE')",
];

mod on_mysql {
    use super::{Engine, MODES, meaning, plans, rows};

    #[test]
    fn no_backslash_escapes_makes_sql_of_a_literal() {
        meaning::check_no_backslash_escapes();
    }

    #[test]
    fn rows_are_as_expected() {
        rows::check(Engine::Mysql);
    }

    #[test]
    fn statements_by_chance_keep_their_meaning() {
        meaning::check(Engine::Mysql, MODES.last().copied(), plans::look(Engine::Mysql));
    }

    #[test]
    fn rows_are_the_same_under_other_settings() {
        rows::check_settings(Engine::Mysql, &MODES);
    }

    #[test]
    fn plans_and_locks_name_only_the_verified_tables() {
        plans::check(Engine::Mysql);
    }

    #[test]
    fn the_look_at_plans_and_locks_can_fail() {
        plans::check_itself(Engine::Mysql);
    }
}

mod on_mariadb {
    use super::{Engine, MARIADB_MODES, MODES, meaning, plans, rows};

    #[test]
    fn rows_are_as_expected() {
        rows::check(Engine::Mariadb);
    }

    #[test]
    fn statements_by_chance_keep_their_meaning() {
        meaning::check(
            Engine::Mariadb,
            MARIADB_MODES.last().copied(),
            plans::look(Engine::Mariadb),
        );
    }

    #[test]
    fn rows_are_the_same_under_other_settings() {
        rows::check_settings(Engine::Mariadb, &MODES);
        rows::check_settings(Engine::Mariadb, &MARIADB_MODES);
    }

    #[test]
    fn plans_and_locks_name_only_the_verified_tables() {
        plans::check(Engine::Mariadb);
    }

    #[test]
    fn the_look_at_plans_and_locks_can_fail() {
        plans::check_itself(Engine::Mariadb);
    }
}
