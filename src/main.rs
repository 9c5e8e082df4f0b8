//! The program: reads the arguments, runs, and says why if it ends with an error.

use clap::Parser;
use dbeast::cli::{self, Arguments};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return fail(&format!("error: the program cannot start its threads: {error}"));
        }
    };
    let ended = runtime.block_on(cli::run(arguments));
    // Work that cannot be interrupted must not hold the end up.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure.to_string()),
    }
}

fn fail(message: &str) -> ExitCode {
    // Nowhere is left to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "{message}");
    ExitCode::FAILURE
}
