//! What the person sees in the terminal, and how the link reaches the browser.

use super::running::Running;
use super::{DoorArguments, Failure};
use crate::secret::Secret;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use tokio::io::{AsyncBufReadExt, BufReader};

/// Says where the doors are. The link is the person's key: it goes to a terminal or, when asked for
/// with `--json`, to the program that started DBeast; a program that did not ask gets none.
pub(super) fn announce(
    running: &Running,
    doors: &DoorArguments,
    client_token: Option<&Secret>,
) -> Result<(), Failure> {
    let link = running.link()?;
    let mut output = io::stdout().lock();
    if doors.json {
        let mut addresses = json!({ "ui_url": link.reveal(), "mcp_url": running.mcp_url() });
        if let (Some(token), Some(map)) = (client_token, addresses.as_object_mut()) {
            map.insert("client_token".to_owned(), json!(token.reveal()));
        }
        writeln!(output, "{addresses}")?;
    } else if output.is_terminal() {
        writeln!(output, "DBeast is running.\n")?;
        writeln!(output, "  You     {}", link.reveal())?;
        writeln!(
            output,
            "          This link works once, within 10 minutes. Enter: a fresh one. Ctrl-C: end."
        )?;
        writeln!(output, "  Agents  {}\n", running.mcp_url())?;
        if let Some(token) = client_token {
            configuration(&mut output, &running.mcp_url(), token)?;
        }
    } else {
        writeln!(output, "DBeast is running. Agents connect to {}.", running.mcp_url())?;
        writeln!(output, "Your link is shown only in a terminal, or with --json.")?;
    }
    output.flush()?;
    drop(output);
    if !doors.no_open {
        // A link of its own: the printed one still works where the browser does not come up.
        open_browser(&running.link()?);
    }
    Ok(())
}

fn configuration(output: &mut impl Write, url: &str, token: &Secret) -> io::Result<()> {
    writeln!(output, "Connect an agent, for example Claude Code:\n")?;
    writeln!(
        output,
        "  claude mcp add --transport http dbeast-demo {url} --header \"Authorization: Bearer {}\"\n",
        token.reveal()
    )?;
    writeln!(output, "or, in the form that most other clients take:\n")?;
    let entry = json!({
        "mcpServers": {
            "dbeast-demo": {
                "url": url,
                "headers": { "Authorization": format!("Bearer {}", token.reveal()) },
            },
        },
    });
    writeln!(output, "{}\n", serde_json::to_string_pretty(&entry).map_err(io::Error::from)?)
}

/// The link stands in the browser's command line for a moment; `--no-open` avoids that.
fn open_browser(link: &Secret) {
    if open::that_detached(link.reveal()).is_err() {
        tracing::warn!("no browser could be opened; open the link yourself");
    }
}

/// Listens for the end of the program: Ctrl-C or a request of the system. It is made before
/// the doors are announced, so that an end that is asked for at once is a proper one too.
pub(super) struct End {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl End {
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "listening can fail on Unix")]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the end. Meanwhile Enter in a terminal prints a fresh link.
    pub(super) async fn wait(mut self, running: &Running) -> Result<(), Failure> {
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        tokio::select! {
            ended = self.signalled() => ended?,
            failed = fresh_links(running), if is_interactive => failed?,
        }
        Ok(())
    }

    #[cfg(unix)]
    async fn signalled(&mut self) -> io::Result<()> {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
        Ok(())
    }

    #[cfg(not(unix))]
    async fn signalled(&mut self) -> io::Result<()> {
        tokio::signal::ctrl_c().await
    }
}

async fn fresh_links(running: &Running) -> Result<(), Failure> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while lines.next_line().await?.is_some() {
        let link = running.link()?;
        writeln!(io::stdout(), "  You     {}", link.reveal())?;
    }
    // The terminal's input is closed: only a signal ends the program now.
    std::future::pending().await
}
