//! A private bus with a real keychain behind it. Nothing of the person's own session is touched.
//!
//! The address of a bus is taken from the environment of a process, so each step of a story runs in
//! a process of its own: this test program again, with [`STEP`] set (see `keychain::step`).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Names the step that the program should do.
pub(crate) const STEP: &str = "DBEAST_VAULT_STEP";
/// The folder that the steps of a story share.
pub(crate) const SHARED: &str = "DBEAST_VAULT_SHARED";
/// The process of the keychain.
pub(crate) const KEYRING_PID: &str = "DBEAST_VAULT_KEYRING";

const INSTALL: &str = "is not installed. scripts/test.sh installs what the tests need \
    (Debian: apt-get install dbus gnome-keyring libglib2.0-bin)";

/// A bus without any service that it could start by itself.
pub(crate) struct Session {
    pub(crate) temp: TempDir,
    address: String,
    keyring: Option<Process>,
    _bus: Process,
}

/// Ends with the value.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Session {
    pub(crate) fn start() -> Self {
        let temp = TempDir::new().unwrap();
        for folder in ["home", "run", "data"] {
            fs::create_dir(temp.path().join(folder)).unwrap();
        }
        let socket = temp.path().join("bus");
        let config = temp.path().join("bus.conf");
        fs::write(&config, bus_config(&socket)).unwrap();
        let mut bus = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--nopidfile", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon {INSTALL}: {error}"));
        let mut address = String::new();
        // The address comes when the bus listens.
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        Self { temp, address, keyring: None, _bus: Process(bus) }
    }

    /// Starts the keychain; with a password it is unlocked, and made at the first time.
    pub(crate) fn start_keyring(&mut self, password: Option<&str>) {
        let mut daemon = self.command("gnome-keyring-daemon");
        daemon.args(["--foreground", "--components=secrets"]).stdin(Stdio::piped());
        if password.is_some() {
            daemon.arg("--unlock");
        }
        let mut daemon = daemon
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("gnome-keyring-daemon {INSTALL}: {error}"));
        let mut stdin = daemon.stdin.take().unwrap();
        stdin.write_all(password.unwrap_or_default().as_bytes()).unwrap();
        drop(stdin);
        self.keyring = Some(Process(daemon));
        let arrived = self
            .command("gdbus")
            .args(["wait", "--session", "--timeout=20", "org.freedesktop.secrets"])
            .status()
            .unwrap_or_else(|error| panic!("gdbus {INSTALL}: {error}"));
        assert!(arrived.success(), "the keychain did not come up");
    }

    pub(crate) fn stop_keyring(&mut self) {
        self.keyring = None;
    }

    /// Does a step in a process of its own.
    pub(crate) fn step(&self, name: &str) {
        let program = std::env::current_exe().unwrap();
        let mut step = self.command(program.to_str().unwrap());
        step.args(["--exact", "keychain::step", "--ignored", "--nocapture"]);
        step.env(STEP, name).env(SHARED, self.shared()).stdout(Stdio::piped());
        if let Some(Process(keyring)) = &self.keyring {
            step.env(KEYRING_PID, keyring.id().to_string());
        }
        let done = step.output().unwrap();
        assert!(
            done.status.success(),
            "step {name}:\n{}{}",
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        );
        assert!(String::from_utf8_lossy(&done.stdout).contains("1 passed"), "{name} did not run");
    }

    fn shared(&self) -> PathBuf {
        self.temp.path().join("home")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("HOME", self.temp.path().join("home"))
            .env("XDG_RUNTIME_DIR", self.temp.path().join("run"))
            .env("XDG_DATA_HOME", self.temp.path().join("data"))
            .env_remove("GNOME_KEYRING_CONTROL")
            .stdout(Stdio::null());
        command
    }
}

fn bus_config(socket: &Path) -> String {
    format!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n\
         \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n\
         <busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>\n\
         <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\n\
         <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>\n",
        socket.display()
    )
}
