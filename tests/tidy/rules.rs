//! Who may know whom, as a table. The first row that fits a file's path decides.

/// One row of the table.
pub(crate) struct Row {
    /// The beginning of a path.
    pub(crate) place: &'static str,
    /// Modules of the crate that it may know, apart from its own.
    pub(crate) modules: &'static [&'static str],
    /// Other crates that it may know.
    pub(crate) crates: &'static [&'static str],
    /// Beginnings of paths of the standard library.
    pub(crate) std: &'static [&'static str],
}

/// The plain types that every part may know.
const PLAIN: &[&str] = &["ids", "time", "secret", "value", "reason"];

/// The parts of `std` without clock, randomness, environment, file, network, process or thread.
const PURE: &[&str] = &[
    "std::borrow",
    "std::cmp",
    "std::collections",
    "std::convert",
    "std::error::Error",
    "std::fmt",
    "std::hash",
    "std::iter",
    "std::mem",
    "std::num",
    "std::ops",
    "std::slice",
    "std::str",
    "std::string",
    "std::sync::Arc",
];
/// The same, with the traits of reading: what is read from is somebody else's.
const PURE_AND_READING: &[&str] = &[
    "std::borrow",
    "std::collections",
    "std::error::Error",
    "std::fmt",
    "std::io::BufRead",
    "std::io::Error",
    "std::iter",
    "std::mem",
    "std::str",
    "std::sync::Arc",
];
/// Everything.
const ANY: &[&str] = &["std"];

/// The table.
pub(crate) const TABLE: &[Row] = &[
    Row { place: "src/main.rs", modules: ANYWHERE, crates: ANY_CRATE, std: ANY },
    Row { place: "src/cli/", modules: ANYWHERE, crates: ANY_CRATE, std: ANY },
    Row { place: "src/demo/", modules: ANYWHERE, crates: ANY_CRATE, std: ANY },
    Row { place: "src/lib.rs", modules: &[], crates: &[], std: &[] },
    Row { place: "src/ids/", modules: &[], crates: &["serde"], std: PURE },
    Row {
        place: "src/time.rs",
        modules: &[],
        crates: &["serde"],
        std: &["std::fmt", "std::time::Duration"],
    },
    Row {
        place: "src/secret.rs",
        modules: &[],
        crates: &["serde", "subtle", "zeroize"],
        std: PURE,
    },
    Row { place: "src/value.rs", modules: &[], crates: &["serde"], std: PURE },
    Row { place: "src/reason/", modules: &[], crates: &["serde"], std: PURE },
    Row { place: "src/events/", modules: PLAIN, crates: &["serde"], std: PURE },
    Row {
        place: "src/reducer/",
        modules: &["events", "ids", "time", "secret", "value", "reason"],
        crates: &["equivalent", "imbl", "serde"],
        std: PURE,
    },
    Row {
        place: "src/recorder/reader.rs",
        modules: &["events", "reducer", "time"],
        crates: &["serde", "serde_json"],
        std: &["std::io::BufRead", "std::io::Read", "std::str"],
    },
    Row {
        place: "src/recorder/",
        modules: &["events", "reducer", "transcript", "ids", "time"],
        crates: &["imbl", "serde", "serde_json", "sha2"],
        std: PURE_AND_READING,
    },
    Row {
        place: "src/transcript/",
        modules: &["events", "reducer", "ids", "time", "secret", "value", "reason"],
        crates: &[],
        std: PURE,
    },
    Row {
        place: "src/store.rs",
        modules: &["events", "reducer", "recorder", "ids", "time"],
        crates: &["tokio", "tracing"],
        std: PURE,
    },
    Row {
        place: "src/sql/",
        modules: &["ids", "reason", "value"],
        crates: &["recursive", "sqlparser"],
        std: PURE,
    },
    Row {
        place: "src/drivers/postgres/",
        modules: &["drivers", "reason", "secret", "value"],
        crates: &[
            "async_trait",
            "bytes",
            "fallible_iterator",
            "postgres_protocol",
            "serde_json",
            "sha2",
            "tokio",
            "zeroize",
        ],
        std: ANY,
    },
    Row {
        place: "src/drivers/mysql/",
        modules: &["drivers", "reason", "secret", "value"],
        crates: &["async_trait", "bytes", "mysql_common", "sha2", "tokio", "zeroize"],
        std: ANY,
    },
    Row {
        place: "src/drivers/",
        modules: &["reason", "secret", "value"],
        crates: &[
            "async_trait",
            "bytes",
            "rusqlite",
            "serde",
            "serde_json",
            "sha2",
            "socket2",
            "tokio",
            "tokio_util",
        ],
        std: ANY,
    },
    Row {
        place: "src/config/",
        modules: &["effects", "events", "ids", "reducer", "secret", "time", "value"],
        crates: &["dirs", "serde", "serde_json", "thiserror", "tracing"],
        std: ANY,
    },
    Row {
        place: "src/effects/",
        modules: &[
            "config", "drivers", "events", "ids", "reason", "reducer", "secret", "store", "time",
            "value",
        ],
        crates: &[
            "apple_native_keyring_store",
            "async_trait",
            "getrandom",
            "keyring_core",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio_util",
            "tracing",
            "uuid",
            "windows_native_keyring_store",
            "zbus_secret_service_keyring_store",
            "zeroize",
        ],
        std: ANY,
    },
    Row {
        place: "src/http/",
        modules: &[
            "effects", "events", "ids", "reason", "recorder", "reducer", "secret", "sql", "store",
            "time", "value",
        ],
        crates: &[
            "arc_swap",
            "axum",
            "bytes",
            "futures_util",
            "http",
            "http_body_util",
            "hyper",
            "hyper_util",
            "rmcp",
            "schemars",
            "serde",
            "serde_json",
            "sha2",
            "subtle",
            "thiserror",
            "tokio",
            "tokio_util",
            "tower",
            "tracing",
            "zeroize",
        ],
        std: ANY,
    },
];

/// Stands for all modules.
pub(crate) const ANYWHERE: &[&str] = &["*"];
/// Stands for all crates.
pub(crate) const ANY_CRATE: &[&str] = &["*"];

/// Things with one door: only the files named may reach for them, whatever the table says.
pub(crate) const ONE_DOOR: &[(&str, &[&str])] = &[
    ("std::time::SystemTime", &["src/effects/clock.rs"]),
    // The driver's contract carries a deadline; `clippy.toml` bans asking what time it is.
    ("std::time::Instant", &["src/effects/clock.rs", "src/drivers/mod.rs"]),
    ("tokio::time::Instant", &["src/effects/clock.rs"]),
    ("getrandom", &["src/effects/ids.rs"]),
    ("rand", &[]),
    ("uuid", &["src/effects/ids.rs"]),
    ("std::env", &["src/config/", "src/cli/", "src/main.rs"]),
    ("include!", &["src/http/person/assets.rs"]),
    ("#[path]", &[]),
];

/// Lines of a source file. Longer means two nouns.
pub(crate) const FILE_LINES_MAX: usize = 600;
/// Lines of a function.
pub(crate) const FUNCTION_LINES_MAX: usize = 70;

/// Functions that are longer, with their length. They may shrink; a shorter one leaves the list.
pub(crate) const LONG_FUNCTIONS: &[(&str, &str, usize)] = &[];

/// What a newcomer must find.
pub(crate) const PAGES: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "GLOSSARY.md",
    "INVARIANTS.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "tests/scenarios/NOT_YET_REACHED.md",
    "tests/scenarios/README.md",
];

/// Beginnings of paths of the machines on which this was written. They say nothing to anybody else.
pub(crate) const MACHINE_PATHS: &[&str] = &[
    concat!("/", "work/"),
    concat!("/", "farm/"),
    concat!("/", "root/"),
    concat!("/tmp/", "helpers"),
];
