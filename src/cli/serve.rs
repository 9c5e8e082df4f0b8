//! `dbeast serve`: the doors, with what was kept from last time.

use super::running::{Beginning, Ports, Running};
use super::{Failure, ServeArguments, VaultChoice, terminal};
use crate::config::{ConfigError, Folder};
use crate::effects::keep::{self, Keep};
use crate::effects::vault::{self, Vault};
use crate::events::{Event, ServerEvent};
use crate::http::person::OwnFiles;
use std::path::PathBuf;
use std::sync::Arc;

/// Where agents find DBeast if nobody says otherwise: their configurations name it for good.
const MCP_PORT: u16 = 54_832;

pub(super) async fn run(arguments: ServeArguments) -> Result<(), Failure> {
    let end = terminal::End::listen()?;
    let path = arguments.config_dir.clone().map_or_else(Folder::default_path, Ok::<PathBuf, _>)?;
    let folder = Folder::open(&path)?;
    let config = folder.read()?;
    let mut doors = arguments.doors.clone();
    doors.ui_port = doors.ui_port.or(config.ui_port);
    doors.mcp_port = doors.mcp_port.or(config.mcp_port);
    let ports = Ports::bind(&doors, MCP_PORT).await?;
    let vault = match arguments.vault {
        VaultChoice::Keychain => Vault::keychain(&config.owner, folder.path(), vault::WAIT),
        VaultChoice::Memory => Vault::Memory,
    };
    let vault = if arguments.replace_vault { vault.replacing_other() } else { vault };
    let restored = keep::restore(&config, vault).await;
    if let Some(unavailable) = &restored.unavailable {
        tracing::warn!(%unavailable, "connections and sharing are in memory only");
    }
    let own_files = OwnFiles::new([folder.path().to_owned()]);
    let folder = Arc::new(folder);
    let running = Running::start(ports, |store| {
        let raised = restored
            .notices
            .iter()
            .map(|notice| Event::from(ServerEvent::NoticeRaised { notice: *notice }));
        let events = std::iter::once(Event::from(restored.event)).chain(raised).collect();
        let keep = Keep::start(
            folder,
            config,
            restored.vault,
            &restored.notices,
            restored.contents,
            restored.passwords.clone(),
            store.clone(),
        );
        let passwords = restored.passwords;
        Beginning { events, keep: Some(Arc::new(keep)), passwords, own_files }
    })
    .await?;
    terminal::announce(&running, &doors, None)?;
    let ended = end.wait(&running).await;
    running.stop().await;
    ended
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(error.to_string()).with_hint(error.hint())
    }
}
