//! `dbeast demo`: the whole product on a shop database that DBeast makes itself. Everything is
//! temporary and in memory.

use super::running::{Beginning, Ports, Running};
use super::{DemoArguments, Failure, terminal};
use crate::demo::{script, shop};
use crate::effects::ids;
use crate::effects::passwords::Passwords;
use crate::events::{
    Audience, ClientEvent, Event, Level, Notice, ServerEvent, SharingEvent, SourceEvent,
    SourceLocation,
};
use crate::http::person::OwnFiles;
use crate::secret::Secret;
use std::path::Path;
use std::sync::Arc;

pub(super) async fn run(arguments: DemoArguments) -> Result<(), Failure> {
    let end = terminal::End::listen()?;
    let ports = Ports::bind(&arguments.doors, 0).await?;
    let folder = private_folder()?;
    let path = folder.path().join("shop.db");
    shop::create(&path)
        .map_err(|error| Failure::new(format!("the shop database cannot be made: {error}")))?;
    let token = ids::client_token()?;
    let events = beginning(&path, &token)?;
    let running = Running::start(ports, |_| Beginning {
        events,
        keep: None,
        passwords: Passwords::default(),
        own_files: OwnFiles::new([]),
    })
    .await?;
    let ended = if arguments.script {
        play(&running, &token).await
    } else {
        terminal::announce(&running, &arguments.doors, Some(&token))?;
        end.wait(&running).await
    };
    running.stop().await;
    folder.close()?;
    ended
}

/// A temporary folder that other users of this computer cannot look into.
fn private_folder() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    builder.prefix("dbeast-demo-").tempdir()
}

/// One source, one connection, the source shared with it at `ask`.
fn beginning(path: &Path, token: &Secret) -> Result<Vec<Event>, Failure> {
    let path = path.to_str().ok_or_else(|| {
        Failure::new("the temporary folder has a name that is not valid text")
            .with_hint("Set TMPDIR to a folder with a plain name.")
    })?;
    let (source, client) = (ids::source()?, ids::client()?);
    Ok(vec![
        ServerEvent::NoticeRaised { notice: Notice::VaultInMemory }.into(),
        SourceEvent::Added {
            source: source.clone(),
            name: Arc::from("Demo shop"),
            alias: None,
            location: SourceLocation::Sqlite { path: Arc::from(path) },
            is_read_only: false,
        }
        .into(),
        ClientEvent::Created {
            client: client.clone(),
            label: Arc::from("Demo agent"),
            token_hash: ids::hash_token(token.reveal()),
        }
        .into(),
        SharingEvent::Set { source, audience: Audience::Client(client), level: Some(Level::Ask) }
            .into(),
    ])
}

async fn play(running: &Running, token: &Secret) -> Result<(), Failure> {
    let link = running.link()?;
    let mut output = std::io::stdout();
    script::play(&running.mcp_url(), token, &link, &mut output)
        .await
        .map_err(|surprise| Failure::new(surprise.to_string()))
}
