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

/// Waits for the end of the program: Ctrl-C or a request of the system. Meanwhile Enter in a
/// terminal prints a fresh link.
pub(super) async fn wait_for_end(running: &Running) -> Result<(), Failure> {
    let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
    tokio::select! {
        ended = end_signal() => ended,
        failed = fresh_links(running), if is_interactive => failed,
    }
}

async fn fresh_links(running: &Running) -> Result<(), Failure> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while lines.next_line().await?.is_some() {
        let link = running.link()?;
        writeln!(io::stdout(), "  You     {}", link.reveal())?;
    }
    // The terminal's input is closed: only a signal ends the program now.
    end_signal().await
}

#[cfg(unix)]
async fn end_signal() -> Result<(), Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => Ok(ended?),
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn end_signal() -> Result<(), Failure> {
    Ok(tokio::signal::ctrl_c().await?)
}
