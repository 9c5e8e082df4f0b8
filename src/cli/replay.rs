//! `dbeast replay FILE`: a recording as a transcript, and whether it happens again.
//!
//! Exits with 0 if every event leads to what it had led to, with 1 if one does not, and with 2 if the
//! file is no good, of which nothing is applied or printed then. The file is read twice, line by
//! line, so that the memory that it takes does not grow with the file.

use super::{Failure, ReplayArguments};
use crate::recorder::{self, FILE_BYTES_MAX, Problem, Replayed, What};
use crate::reducer::State;
use crate::time::Millis;
use crate::transcript::tell::{Teller, Untellable};
use crate::transcript::{Occurrence, happening};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Seek as _, Write};
use std::path::Path;

/// A file that is no good.
const BAD_FILE: u8 = 2;

/// Runs the command.
pub(super) fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
    let path = &arguments.file;
    let mut file = open(path).map_err(|problem| bad(path, &problem))?;
    recorder::check(BufReader::new(&file)).map_err(|problem| bad(path, &problem))?;
    file.rewind().map_err(|error| bad(path, &whole(What::Unreadable(error))))?;
    let mut author = arguments.story.as_deref().map(Author::new).transpose()?;
    let mut printer = Printer::new(BufWriter::new(std::io::stdout().lock()), arguments.quiet);
    let replayed = recorder::replay(BufReader::new(&file), |occurrence| {
        printer.show(occurrence);
        if let Some(author) = &mut author {
            author.hear(occurrence);
        }
    });
    printer.finish(replayed.map_err(|problem| bad(path, &problem))?)?;
    author.map_or(Ok(()), Author::write)
}

/// Writes the story. It is written only if everything happened again.
struct Author<'a> {
    path: &'a Path,
    title: String,
    teller: Teller,
    last: State,
    untellable: Option<Untellable>,
}

impl<'a> Author<'a> {
    fn new(path: &'a Path) -> Result<Self, Failure> {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_word = |character: char| {
            character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_'
        };
        let is_story = path.extension().is_some_and(|ending| ending == "story");
        if !is_story
            || !stem.starts_with(|first: char| first.is_ascii_lowercase())
            || stem.ends_with('_')
            || stem.contains("__")
            || !stem.chars().all(is_word)
        {
            let message = format!("{}: this is no name for a story", path.display());
            return Err(Failure::new(message).with_hint(
                "Name it by what happens, in lower case with _ between words: an_answer_is_lost.story.",
            ));
        }
        // A link that leads nowhere is in the way as well. Writing looks once more.
        if path.symlink_metadata().is_ok() {
            return Err(taken(path));
        }
        let mut title = stem.replace('_', " ");
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let (teller, last) = (Teller::new(), State::default());
        Ok(Self { path, title, teller, last, untellable: None })
    }

    fn hear(&mut self, occurrence: &Occurrence) {
        self.last = occurrence.step.state.clone();
        if self.untellable.is_none() {
            self.untellable = self.teller.take(occurrence).err();
        }
    }

    fn write(self) -> Result<(), Failure> {
        let story = match self.untellable {
            Some(why) => Err(why),
            None => self.teller.finish(&self.title, &self.last),
        };
        let story = story.map_err(|why| {
            Failure::new(why.to_string())
                .with_hint("No story was written. tests/scenarios/README.md has what one can say.")
        })?;
        // Never over a file, and never through a link: a recording takes a while to replay.
        let written =
            File::create_new(self.path).and_then(|mut file| file.write_all(story.as_bytes()));
        written.map_err(|error| {
            if error.kind() == ErrorKind::AlreadyExists {
                taken(self.path)
            } else {
                Failure::new(format!("{}: {error}", self.path.display()))
            }
        })
    }
}

fn taken(path: &Path) -> Failure {
    let message = format!("{}: there is a file already", path.display());
    Failure::new(message).with_hint("Choose another name.")
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
        // Whoever reads has seen enough; how it ends still counts.
        if self.written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            self.is_quiet = true;
            self.written = Ok(());
        }
    }

    fn last(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn finish(mut self, replayed: Replayed) -> Result<(), Failure> {
        self.written.as_ref().map_err(|error| Failure::new(error.to_string()))?;
        match replayed {
            Replayed::Same { events, link } => self.last(&format!(
                "replayed {events} events: states, effects and answers are equal ({link})\n"
            )),
            Replayed::Differs { seq, line } => {
                self.last("")?;
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

#[cfg(all(test, unix))]
mod tests {
    use super::Author;
    use crate::transcript::tell::Teller;

    #[test]
    fn a_story_is_written_neither_through_a_link_nor_over_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("it.story"), folder.path().join("elsewhere"));
        let author = Author::new(&path).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(Author::new(&path).is_err(), "a link that leads nowhere is in the way");
        let mut teller = Teller::new();
        teller.take(&first()).unwrap();
        let error = Author { teller, ..author }.write().unwrap_err().to_string();
        assert!(error.contains("there is a file already"), "{error}");
        assert!(!elsewhere.exists());
    }

    fn first() -> crate::transcript::Occurrence {
        use crate::events::{Envelope, Event, ServerEvent};
        let before = crate::reducer::State::default();
        let event = Event::Server(ServerEvent::Started { port: 1 });
        let envelope = Envelope { seq: 1, at: crate::time::Millis(1), event };
        let step = crate::reducer::reduce(&before, &envelope);
        crate::transcript::Occurrence { before, envelope, step }
    }
}
