//! Keeping without a keychain: sources, the memory vault, failures of the file.

use crate::program::Program;
use dbeast::effects::vault::Vault;
use dbeast::events::{Notice, SourceEvent, SourceLocation};
use dbeast::ids::SourceId;
use std::fs;
use tempfile::TempDir;

fn source(id: &str) -> SourceEvent {
    let location = SourceLocation::Sqlite { path: "/data/shop.db".into() };
    SourceEvent::Added {
        source: SourceId::new(id),
        name: "Shop".into(),
        alias: None,
        location,
        is_read_only: false,
    }
}

async fn start(temp: &TempDir) -> Program {
    Program::start_with(&temp.path().join("config"), |_, _| Vault::Memory).await
}

#[tokio::test]
async fn sources_survive_a_restart_and_the_newest_state_wins() {
    let temp = TempDir::new().unwrap();
    let mut program = start(&temp).await;
    assert_eq!(program.notices(), [Notice::VaultInMemory]);
    for number in 0..20 {
        program.send(source(&format!("src_{number:02}"))).await;
    }
    program.send(SourceEvent::Removed { source: SourceId::new("src_07") }).await;
    let before = program.store.state().sources.clone();
    program.end().await;
    let program = start(&temp).await;
    let after = program.store.state().sources.clone();
    assert!(after.keys().eq(before.keys()) && after.len() == 19);
    assert!(after.values().map(|s| &s.alias).eq(before.values().map(|s| &s.alias)));
    program.end().await;
}

#[tokio::test]
async fn in_memory_connections_end_with_the_program() {
    let temp = TempDir::new().unwrap();
    let mut program = start(&temp).await;
    program.create("con_1").await;
    let folder = program.folder.clone();
    assert_eq!(program.end().await, [Notice::VaultInMemory]);
    assert!(!folder.read().unwrap().mcp_state_saved);
    let text = fs::read_to_string(folder.path().join("config.json")).unwrap();
    assert!(!text.contains("con_1") && !text.contains("token"));
    drop(folder);
    let program = start(&temp).await;
    assert!(program.clients().is_empty());
    program.end().await;
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told_and_tried_again_at_the_next_change() {
    let temp = TempDir::new().unwrap();
    let mut program = start(&temp).await;
    let blocked = program.folder.path().join("config.json.new");
    fs::create_dir_all(blocked.join("in")).unwrap();
    program.send(source("src_1")).await;
    program.shows(&[Notice::VaultInMemory, Notice::ConfigurationNotSaved]).await;
    assert!(program.folder.read().unwrap().sources.is_empty(), "the old file is as it was");
    fs::remove_dir_all(&blocked).unwrap();
    program.send(source("src_2")).await;
    program.shows(&[Notice::VaultInMemory]).await;
    assert_eq!(program.folder.read().unwrap().sources.len(), 2);
    program.end().await;
}
