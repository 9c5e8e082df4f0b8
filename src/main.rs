//! The program: reads the arguments, runs, and says why if it ends with an error.

use clap::Parser;
use dbeast::cli::{self, Arguments};
use std::io::Write;
use std::process::ExitCode;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> ExitCode {
    log_to_terminal();
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return fail(&format!("error: the program cannot start its threads: {error}"), 1);
        }
    };
    let ended = runtime.block_on(cli::run(arguments));
    // Work that cannot be interrupted must not hold the end up.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure.to_string(), failure.code()),
    }
}

/// Only DBeast's own words reach the terminal. A library's could hold what an agent sent, and the
/// terminal is where the person finds their link.
fn log_to_terminal() {
    let own = Targets::new().with_target("dbeast", tracing::Level::WARN);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time();
    tracing_subscriber::registry().with(lines.with_filter(own)).init();
}

fn fail(message: &str, code: u8) -> ExitCode {
    // Nowhere is left to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "{message}");
    ExitCode::from(code)
}
