//! The driver for MySQL and MariaDB against private servers: what it proves, what it refuses and for which reason, how
//! it fails when servers do, and what it never makes run.
//!
//! `tests/servers` says how a test gets a server, a database and an account. Tests in `on_mysql` are left out, and said to be,
//! where MySQL cannot be had.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "drivers/contract/mod.rs"]
mod contract;
mod servers;
mod mysql {
    pub(crate) mod bench;
    mod common;
    pub(crate) mod proof;
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
    proof: every_case_is_judged, other_databases_are_out_of_reach, privileges_are_needed;
}
