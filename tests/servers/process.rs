//! A server as a process that cannot outlive the test program.
//!
//! Two shells stand beside each server. One starts the server and waits until its own input closes,
//! which happens when the test program ends in any way at all, then stops exactly that server. The other
//! removes the folder when the test program and every such shell have ended. So a server can be killed and
//! started again on the same folder, and nothing is left behind whenever that is interrupted.

use std::io::{BufRead, BufReader, PipeWriter, Write as _};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any server needs to say its next word on a busy machine.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// Words of a server that are shown if it does not start.
const LOG_LINES_SHOWN: usize = 30;

/// Its output is the pipe that the folder's keeper waits on; the server must not have it.
const KEEPER: &str = r#"
"$@" </dev/null >&2 &
server=$!
exec 2>/dev/null
read -r signal
kill -s "${signal:-$STOP_SIGNAL}" "$server"
wait "$server"
"#;

const FOLDER_KEEPER: &str = r#"
read -r _
rm -rf -- "$1"
"#;

/// The folder of a server. It is removed when nothing uses it any more, however that ends.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Open as long as the folder is needed.
    needed: PipeWriter,
    /// Removes it.
    _keeper: Child,
}

impl Folder {
    /// A new one, owned by this user.
    pub(crate) fn new(user: Option<(u32, u32)>) -> Self {
        let (input, needed) = std::io::pipe().expect("a pipe");
        let folder: TempDir =
            tempfile::Builder::new().prefix("dbeast-server-").tempdir().expect("a folder");
        if let Some((user, group)) = user {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group))
                .expect("another owner");
        }
        let keeper = Command::new("sh")
            .args(["-c", FOLDER_KEEPER, "sh"])
            .arg(folder.path())
            .process_group(0)
            .current_dir("/")
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        // From here on the shell removes it.
        Self { path: folder.keep(), needed, _keeper: keeper }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Running {
    keeper: Child,
    /// Closing it stops the server.
    input: Option<ChildStdin>,
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
    /// Starts a server in this folder, and waits until it says that it takes connections.
    pub(crate) fn start(folder: &Folder, start: &Start<'_>) -> Self {
        Self::try_start(folder, start).unwrap_or_else(|said| panic!("{said}"))
    }

    /// The same for a server that may find its port or its memory taken; what it said instead.
    pub(crate) fn try_start(folder: &Folder, start: &Start<'_>) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command
            .args(["-c", KEEPER, "sh"])
            .args(&start.arguments)
            .env("STOP_SIGNAL", start.signal)
            .env("LC_ALL", "C")
            .current_dir(folder.path())
            // An interrupt from the keyboard is for the tests; the server ends after them.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(folder.needed.try_clone().expect("the same pipe"))
            .stderr(Stdio::piped());
        run_as(&mut command, start.user);
        let mut keeper = command.spawn().expect("a shell");
        let input = keeper.stdin.take();
        let mut running = Self { keeper, input };
        running.wait_until_ready(start.ready)?;
        Ok(running)
    }

    /// Sends the server this signal and waits until it has ended.
    pub(crate) fn end(mut self, signal: &str) {
        let mut input = self.input.take().expect("it was not ended before");
        writeln!(input, "{signal}").expect("a keeper that listens");
        self.keeper.wait().expect("the keeper's end");
    }

    fn wait_until_ready(&mut self, ready: &str) -> Result<(), String> {
        let log = BufReader::new(self.keeper.stderr.take().expect("a pipe"));
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
                Ok(line) if line.contains(ready) => return Ok(()),
                Ok(line) => seen.push(line),
                Err(error) => {
                    let what = match error {
                        RecvTimeoutError::Timeout => "says nothing",
                        RecvTimeoutError::Disconnected => "has ended",
                    };
                    let shown = seen.len().saturating_sub(LOG_LINES_SHOWN);
                    let seen = seen[shown..].join("\n");
                    return Err(format!("the server {what} before it is ready:\n{seen}"));
                }
            }
        }
    }
}

/// A port of 127.0.0.1 that nobody uses at this moment.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
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
