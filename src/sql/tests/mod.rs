//! Unit tests of the proof's tricky parts; the corpus of statements is in `tests/sql`.

mod bounds;
mod meaning;
mod mutation;
mod place;
mod structured_read;

use crate::value::Engine;

/// Every dialect.
const DIALECTS: [Engine; 4] = [Engine::Sqlite, Engine::Postgres, Engine::Mysql, Engine::Mariadb];

/// A table that the dialect can name.
const fn table(dialect: Engine) -> &'static str {
    match dialect {
        Engine::Sqlite => "main.t",
        Engine::Postgres => "public.t",
        Engine::Mysql | Engine::Mariadb => "shop.t",
    }
}
