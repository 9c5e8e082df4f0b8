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
}

mod on_mysql {
    use crate::mysql::bench::MysqlBench;
    use crate::servers::mysql::Kind;
    crate::contract::suite!(MysqlBench::new(Kind::Mysql));
}

mod on_mariadb {
    use crate::mysql::bench::MysqlBench;
    use crate::servers::mysql::Kind;
    crate::contract::suite!(MysqlBench::new(Kind::Mariadb));
}
