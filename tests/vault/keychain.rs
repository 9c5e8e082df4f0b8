//! Stories with a real keychain. Each has steps; each step is a process of its own.

use crate::program::{LONG, Program, held, keychain};
use crate::session::{KEYRING_PID, SHARED, STEP, Session};
use dbeast::config::Folder;
use dbeast::effects::ids;
use dbeast::effects::keep::restore;
use dbeast::effects::vault::{Contents, Loaded, Vault};
use dbeast::events::{
    Audience, ClientEvent, Level, Notice, SharingEvent, SourceEvent, SourceLocation, TableLevel,
};
use dbeast::ids::{ClientId, SourceId};
use dbeast::value::TableName;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const PASSWORD: &str = "correct horse";
const OTHER_PASSWORD: &str = "battery staple";

#[test]
fn connections_and_sharing_survive_a_restart_of_program_and_keychain() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("find");
    session.stop_keyring();
    session.start_keyring(Some(PASSWORD));
    session.step("find");
    session.step("revoke");
    session.step("find nothing");
}

#[test]
fn an_item_of_the_version_before_tables_is_read() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("be of the version before tables");
}

#[test]
fn another_folders_connections_are_neither_used_nor_replaced_unawares() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("come from another folder");
    session.step("be replaced");
}

#[test]
fn a_copied_folder_is_another_folder() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("copy");
}

#[test]
fn a_locked_keychain_is_unavailable_and_keeps_what_it_has() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.stop_keyring();
    session.start_keyring(None);
    session.step("find it unavailable");
    session.stop_keyring();
    session.start_keyring(Some(OTHER_PASSWORD));
    session.step("find it unavailable");
    session.stop_keyring();
    session.start_keyring(Some(PASSWORD));
    session.step("find");
}

#[test]
fn without_a_keychain_the_person_is_told_at_the_first_change() {
    let session = Session::start();
    session.step("save in vain");
}

#[test]
fn without_a_bus_the_keychain_is_unavailable() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    let bus = session.temp.path().join("bus");
    std::fs::rename(&bus, bus.with_extension("gone")).unwrap();
    session.step("find it unavailable");
}

#[test]
fn a_keychain_that_hangs_does_not_hang_the_program() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("hang");
}

#[test]
fn a_damaged_item_is_left_as_it_is() {
    let mut session = Session::start();
    session.start_keyring(Some(PASSWORD));
    session.step("create");
    session.step("damage");
}

/// Does the step that a story asks for, in a process of its own. It is no test by itself: only the
/// stories run it, and it counts for nothing without one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a step of the stories above, which run it themselves"]
async fn step() {
    let step = std::env::var_os(STEP).expect("only a story runs a step");
    let shared = PathBuf::from(std::env::var_os(SHARED).unwrap());
    let folder = shared.join("config");
    match step.to_str().unwrap() {
        "create" => create(&folder).await,
        "find" => find(&folder).await,
        "be of the version before tables" => be_of_the_version_before_tables(&folder).await,
        "find nothing" => find_nothing(&folder).await,
        "revoke" => revoke(&folder).await,
        "come from another folder" => come_from_another_folder(&shared).await,
        "be replaced" => be_replaced(&folder).await,
        "copy" => copy(&shared).await,
        "find it unavailable" => find_it_unavailable(&folder).await,
        "save in vain" => save_in_vain(&folder).await,
        "hang" => hang(&folder).await,
        "damage" => damage(&folder).await,
        other => assert!(crate::passwords::step(other, &shared).await, "no step {other}"),
    }
}

fn sharing() -> (SourceId, Audience, Level) {
    (SourceId::new("src_1"), Audience::Client(ClientId::new("con_1")), Level::Ask)
}

fn table() -> (TableName, TableLevel) {
    (TableName { schema: "main".into(), name: "orders".into() }, TableLevel::ReadWrite)
}

async fn create(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    let (source, audience, level) = sharing();
    let location = SourceLocation::Sqlite { path: "/data/shop.db".into() };
    let name = "Shop".into();
    program
        .send(SourceEvent::Added {
            source: source.clone(),
            name,
            alias: None,
            location,
            is_read_only: false,
        })
        .await;
    program.create("con_1").await;
    let set = SharingEvent::Set {
        source: source.clone(),
        audience: audience.clone(),
        level: Some(level),
    };
    program.send(set).await;
    let (table, level) = table();
    let level = Some(level);
    program.send(SharingEvent::TableSet { source, audience, table, level }).await;
    let folder = program.folder.clone();
    assert_eq!(program.end().await, []);
    let config = folder.read().unwrap();
    assert!(config.mcp_state_saved && config.sources.len() == 1);
}

async fn find(folder: &Path) {
    let program = Program::start(folder, LONG).await;
    assert_eq!(program.notices(), []);
    assert_eq!(program.clients(), ["con_1"]);
    let state = program.store.state();
    let (source, audience, level) = sharing();
    let share = state.sharing.get(&(source.clone(), audience)).expect("an entry");
    assert_eq!(share.level, level);
    assert_eq!(share.tables.iter().collect::<Vec<_>>(), [(&table().0, &table().1)]);
    assert!(state.sources.contains_key(&source));
    assert_eq!(state.client_of(&ids::hash_token("con_1")), Some(&ClientId::new("con_1")));
    program.end().await;
}

async fn be_of_the_version_before_tables(folder: &Path) {
    let strip = || {
        let text = item().get_password().unwrap();
        let mut form: serde_json::Value = serde_json::from_str(&text).unwrap();
        let tables = form.as_object_mut().unwrap().remove("tables");
        assert!(tables.is_some_and(|tables| tables.as_array().unwrap().len() == 1), "{text}");
        item().set_password(&form.to_string()).unwrap();
    };
    std::thread::spawn(strip).join().unwrap();
    let program = Program::start(folder, LONG).await;
    assert_eq!(program.notices(), []);
    let (source, audience, level) = sharing();
    let state = program.store.state();
    let share = state.sharing.get(&(source, audience)).expect("an entry");
    assert!(share.level == level && share.tables.is_empty());
    program.end().await;
}

/// The keychain's item, as another program sees it. Not for the threads of the runtime.
fn item() -> keyring_core::Entry {
    use keyring_core::api::CredentialStoreApi;
    let store = zbus_secret_service_keyring_store::Store::new().unwrap();
    store.build("dbeast", "mcp-v1", None).unwrap()
}

async fn revoke(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    program.send(ClientEvent::Revoked { client: ClientId::new("con_1") }).await;
    assert_eq!(program.end().await, []);
}

async fn find_nothing(folder: &Path) {
    assert_eq!(held(folder).await, Loaded::Contents(Contents::default()));
    let program = Program::start(folder, LONG).await;
    assert!(program.clients().is_empty());
    assert_eq!(program.end().await, []);
}

async fn come_from_another_folder(shared: &Path) {
    let other = shared.join("other");
    let mut program = Program::start(&other, LONG).await;
    assert!(program.notices().is_empty(), "a new folder does not look into the keychain");
    program.create("con_2").await;
    program.shows(&[Notice::VaultOfOtherOwner, Notice::VaultNotSaved]).await;
    assert!(!program.folder.read().unwrap().mcp_state_saved);
    assert!(matches!(held(&shared.join("config")).await, Loaded::Contents(_)));
    program.create("con_3").await;
    program.end().await;
    assert!(!Folder::open(&other).unwrap().read().unwrap().mcp_state_saved);
    let Loaded::Contents(contents) = held(&shared.join("config")).await else {
        panic!("a second change replaced what another folder keeps")
    };
    assert_eq!(contents.clients.len(), 1);

    let mut program = Program::start_with(&other, |folder, config| {
        keychain(folder, config, LONG).replacing_other()
    })
    .await;
    program.create("con_4").await;
    program.shows(&[]).await;
    program.end().await;
    let Loaded::Contents(contents) = held(&other).await else { panic!("nothing was kept") };
    assert_eq!(contents.clients.len(), 1);
}

async fn be_replaced(folder: &Path) {
    assert_eq!(held(folder).await, Loaded::OtherOwner);
    let mut program = Program::start_with(folder, |folder, config| {
        keychain(folder, config, LONG).replacing_other()
    })
    .await;
    assert_eq!(program.notices(), [Notice::VaultOfOtherOwner]);
    assert!(program.clients().is_empty() && program.store.state().sharing.is_empty());
    program.create("con_4").await;
    program.shows(&[]).await;
    assert_eq!(program.end().await, []);
    assert!(matches!(held(folder).await, Loaded::Contents(_)));
}

async fn copy(shared: &Path) {
    let (here, there) = (shared.join("config"), shared.join("copy"));
    drop(Folder::open(&there).unwrap());
    std::fs::copy(here.join("config.json"), there.join("config.json")).unwrap();
    assert_eq!(held(&there).await, Loaded::OtherOwner);
    assert!(matches!(held(&here).await, Loaded::Contents(_)));
}

async fn find_it_unavailable(folder: &Path) {
    let opened = Folder::open(folder).unwrap();
    let config = opened.read().unwrap();
    let vault = keychain(&opened, &config, Duration::from_secs(5));
    let restored = restore(&config, vault).await;
    let cause = restored.unavailable.expect("a cause").to_string();
    assert!(cause.len() > "the system keychain cannot be used: ".len(), "{cause}");
    drop(opened);
    let mut program = Program::start(folder, Duration::from_secs(5)).await;
    assert_eq!(program.notices(), [Notice::VaultUnavailable]);
    assert!(program.clients().is_empty());
    assert_eq!(program.store.state().sources.len(), 1, "sources need no keychain");
    // Changes stay in memory: what the keychain has is never replaced by less.
    program.create("con_5").await;
    let folder = program.folder.clone();
    assert_eq!(program.end().await, [Notice::VaultUnavailable]);
    assert!(folder.read().unwrap().mcp_state_saved);
}

async fn save_in_vain(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    assert!(program.notices().is_empty());
    program.create("con_1").await;
    program.shows(&[Notice::VaultNotSaved]).await;
    let folder = program.folder.clone();
    assert_eq!(program.end().await, [Notice::VaultNotSaved]);
    assert!(!folder.read().unwrap().mcp_state_saved);
}

async fn hang(folder: &Path) {
    let pid = std::env::var_os(KEYRING_PID).unwrap();
    let signal = |signal: &str| {
        let sent = Command::new("kill").arg(signal).arg(&pid).status().unwrap();
        assert!(sent.success());
    };
    let opened = Folder::open(folder).unwrap();
    let config = opened.read().unwrap();
    let hasty = keychain(&opened, &config, Duration::from_millis(200));
    signal("-STOP");
    for _ in 0..3 {
        let Loaded::Unavailable(cause) = hasty.load().await else { panic!("it answered") };
        assert!(cause.to_string().contains("did not answer"), "{cause}");
    }
    let patient = keychain(&opened, &config, LONG);
    let waiting = tokio::spawn(async move { patient.load().await });
    signal("-CONT");
    assert!(matches!(waiting.await.unwrap(), Loaded::Contents(_)));
}

async fn damage(folder: &Path) {
    let opened = Folder::open(folder).unwrap();
    let config = opened.read().unwrap();
    let spoil = || item().set_password("{\"version\":1,\"secret\":").unwrap();
    std::thread::spawn(spoil).join().unwrap();
    let Loaded::Unavailable(cause) = keychain(&opened, &config, LONG).load().await else {
        panic!("it was read")
    };
    assert!(cause.to_string().contains("damaged") && !cause.to_string().contains("secret\":"));
    drop(opened);
    let mut program = Program::start(folder, LONG).await;
    assert_eq!(program.notices(), [Notice::VaultUnavailable]);
    program.create("con_6").await;
    program.end().await;
    let text = std::thread::spawn(|| item().get_password().unwrap()).join().unwrap();
    assert_eq!(text, "{\"version\":1,\"secret\":");
}

#[tokio::test]
async fn memory_keeps_nothing() {
    assert_eq!(Vault::Memory.load().await, Loaded::Absent);
    assert_eq!(Vault::Memory.save(&Contents::default()).await, Ok(()));
}
