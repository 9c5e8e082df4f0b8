//! A server as a process that cannot outlive the test program.
//!
//! A shell stands between: it starts the server, waits until its own input closes, which happens when
//! the test program ends in any way at all, then stops exactly that server and removes its folder.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any server needs to say its next word on a busy machine.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// Words of a server that are shown if it does not start.
const LOG_LINES_SHOWN: usize = 30;

const KEEPER: &str = r#"
"$@" </dev/null >&2 &
server=$!
exec >/dev/null 2>&1
read -r _
kill -s "$STOP_SIGNAL" "$server"
wait "$server"
rm -rf -- "$STOP_FOLDER"
"#;

/// A running server.
pub(crate) struct Running {
    folder: PathBuf,
    /// Holds the pipe whose end stops the server.
    _keeper: Child,
}

/// How to start a server.
pub(crate) struct Start<'a> {
    /// The program with its arguments.
    pub(crate) arguments: Vec<String>,
    /// Part of the line by which it says that it takes connections.
    pub(crate) ready: &'a str,
    /// The signal that ends it at once.
    pub(crate) signal: &'a str,
    /// User and group under which it runs, if not those of the tests.
    pub(crate) user: Option<(u32, u32)>,
}

impl Running {
    /// Starts a server whose folder this is, and waits until it says that it takes connections.
    pub(crate) fn start(folder: TempDir, start: &Start<'_>) -> Self {
        let mut command = Command::new("sh");
        command
            .args(["-c", KEEPER, "sh"])
            .args(&start.arguments)
            .env("STOP_SIGNAL", start.signal)
            .env("STOP_FOLDER", folder.path())
            .env("LC_ALL", "C")
            .current_dir(folder.path())
            // An interrupt from the keyboard is for the tests; the server ends after them.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        run_as(&mut command, start.user);
        let mut keeper = command.spawn().expect("a shell");
        // From here on the shell removes it.
        let folder = folder.keep();
        wait_until_ready(&mut keeper, start.ready);
        Self { folder, _keeper: keeper }
    }

    /// The folder in which the server keeps everything.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

fn wait_until_ready(keeper: &mut Child, ready: &str) {
    let log = BufReader::new(keeper.stderr.take().expect("a pipe"));
    let (sender, receiver) = channel();
    // It reads on when nobody listens any more, so that the server never waits for a full pipe.
    std::thread::spawn(move || {
        for line in log.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let mut seen = Vec::new();
    loop {
        match receiver.recv_timeout(SILENCE_MAX) {
            Ok(line) if line.contains(ready) => return,
            Ok(line) => seen.push(line),
            Err(error) => {
                let what = match error {
                    RecvTimeoutError::Timeout => "says nothing",
                    RecvTimeoutError::Disconnected => "has ended",
                };
                let shown = seen.len().saturating_sub(LOG_LINES_SHOWN);
                panic!("the server {what} before it is ready:\n{}", seen[shown..].join("\n"));
            }
        }
    }
}

/// A folder of its own for a server.
pub(crate) fn folder(user: Option<(u32, u32)>) -> TempDir {
    let folder = tempfile::Builder::new().prefix("dbeast-server-").tempdir().expect("a folder");
    if let Some((user, group)) = user {
        std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).expect("another owner");
    }
    folder
}

/// Runs a program that prepares a folder to its end.
pub(crate) fn prepare(program: &Path, arguments: &[String], user: Option<(u32, u32)>) {
    let mut command = Command::new(program);
    command.args(arguments).env("LC_ALL", "C").current_dir("/").stdin(Stdio::null());
    run_as(&mut command, user);
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{} does not run: {error}", program.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} failed:\n{said}", program.display());
}

fn run_as(command: &mut Command, user: Option<(u32, u32)>) {
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
}

/// The user and group of this name, or of the tests themselves.
pub(crate) fn ids(name: Option<&str>) -> (u32, u32) {
    let number = |option: &str| {
        let output = Command::new("id").arg(option).args(name).output().expect("the program id");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().unwrap_or_else(|_| panic!("id {option} {name:?}: {text}"))
    };
    (number("-u"), number("-g"))
}

/// The first of these files that is there.
pub(crate) fn program(places: &[PathBuf], missing: &str) -> PathBuf {
    let found = places.iter().find(|place| place.is_file());
    found.cloned().unwrap_or_else(|| panic!("{missing}"))
}
