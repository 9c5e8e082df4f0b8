//! `dbeast replay FILE`: a recording as a transcript, and whether it happens again.
//!
//! Exits with 0 if every event leads to what it had led to, with 1 if one does not, and with 2 if the
//! file is no good, of which nothing is applied or printed then. The file is read twice, line by
//! line, so that the memory that it takes does not grow with the file.

use super::{Failure, ReplayArguments};
use crate::recorder::{self, FILE_BYTES_MAX, Problem, Replayed, What};
use crate::time::Millis;
use crate::transcript::{Occurrence, happening};
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek as _, Write};
use std::path::Path;

/// A file that is no good.
const BAD_FILE: u8 = 2;

/// Runs the command.
pub(super) fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
    let path = &arguments.file;
    let mut file = open(path).map_err(|problem| bad(path, &problem))?;
    recorder::check(BufReader::new(&file)).map_err(|problem| bad(path, &problem))?;
    file.rewind().map_err(|error| bad(path, &whole(What::Unreadable(error))))?;
    let mut printer = Printer::new(BufWriter::new(std::io::stdout().lock()), arguments.quiet);
    let replayed = recorder::replay(BufReader::new(&file), |occurrence| printer.show(occurrence));
    let replayed = replayed.map_err(|problem| bad(path, &problem))?;
    printer.finish(replayed)
}

fn open(path: &Path) -> Result<File, Problem> {
    // Asked before opening: opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path).map_err(|error| whole(What::Unreadable(error)))?;
    if !metadata.is_file() {
        return Err(whole(What::NotAFile));
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(whole(What::FileTooLarge));
    }
    File::open(path).map_err(|error| whole(What::Unreadable(error)))
}

const fn whole(what: What) -> Problem {
    Problem { line: None, what }
}

fn bad(path: &Path, problem: &Problem) -> Failure {
    let message = format!("{}: {problem}", path.display());
    Failure::new(message).with_hint(problem.hint()).with_code(BAD_FILE)
}

/// Prints what a replay shows.
struct Printer<W> {
    output: W,
    is_quiet: bool,
    /// The time of the first event, and of the last one.
    times: Option<(Millis, Millis)>,
    /// Reading on makes no sense when nobody takes it any more.
    written: std::io::Result<()>,
}

impl<W: Write> Printer<W> {
    const fn new(output: W, is_quiet: bool) -> Self {
        Self { output, is_quiet, times: None, written: Ok(()) }
    }

    fn show(&mut self, occurrence: &Occurrence) {
        let at = occurrence.envelope.at;
        let (start, before) = self.times.unwrap_or((at, at));
        self.times = Some((start, at));
        if self.is_quiet || self.written.is_err() {
            return;
        }
        let mut text = String::new();
        happening::write(&mut text, occurrence, before, start);
        text.push('\n');
        self.written = self.output.write_all(text.as_bytes());
    }

    fn finish(mut self, replayed: Replayed) -> Result<(), Failure> {
        self.written?;
        match replayed {
            Replayed::Same { events, link } => {
                writeln!(
                    self.output,
                    "replayed {events} events: states, effects and answers are equal ({link})"
                )?;
                self.output.flush()?;
                Ok(())
            }
            Replayed::Differs { seq, line } => {
                self.output.flush()?;
                let message = format!(
                    "line {line}: event {seq} does not lead to the state, effects and answer that were recorded"
                );
                Err(Failure::new(message).with_hint(
                    "Either the line was changed, or this version has other rules than the one that recorded.",
                ))
            }
        }
    }
}
