//! Passwords of sources: in an item of their own, of this folder only, and nowhere else.

use crate::program::{LONG, Program, keychain};
use crate::session::Session;
use dbeast::config::Folder;
use dbeast::effects::passwords::Passwords;
use dbeast::effects::vault::LoadedPasswords;
use dbeast::events::{Notice, ServerPlace, SourceChange, SourceEvent, SourceLocation};
use dbeast::ids::SourceId;
use dbeast::secret::Secret;
use std::path::Path;

const KEYRING: &str = "correct horse";
const SECRET: &str = "sesame \"open\" é";

#[test]
fn a_password_survives_a_restart_and_goes_with_its_source() {
    let mut session = Session::start();
    session.start_keyring(Some(KEYRING));
    session.step("give a password");
    session.stop_keyring();
    session.start_keyring(Some(KEYRING));
    session.step("find the password");
    session.step("change the password");
    session.step("remove the source");
}

#[test]
fn passwords_that_cannot_be_read_are_left_as_they_are() {
    let mut session = Session::start();
    session.start_keyring(Some(KEYRING));
    session.step("give a password");
    session.step("spoil the passwords");
}

#[test]
fn passwords_of_another_folder_are_neither_used_nor_replaced_unawares() {
    let mut session = Session::start();
    session.start_keyring(Some(KEYRING));
    session.step("give a password");
    session.step("come from another folder with a password");
}

pub(crate) async fn step(name: &str, shared: &Path) -> bool {
    let folder = shared.join("config");
    match name {
        "give a password" => give(&folder).await,
        "find the password" => find(&folder).await,
        "change the password" => change(&folder).await,
        "remove the source" => remove(&folder).await,
        "spoil the passwords" => spoil(&folder).await,
        "come from another folder with a password" => come_from_another_folder(shared).await,
        _ => return false,
    }
    true
}

fn source() -> SourceId {
    SourceId::new("src_1")
}

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

fn added() -> SourceEvent {
    let location = SourceLocation::Postgres(ServerPlace {
        host: "db.example".into(),
        port: 5433,
        database: "shop".into(),
        user: "reader".into(),
    });
    let name = "Shop".into();
    SourceEvent::Added { source: source(), name, alias: None, location, is_read_only: true }
}

/// As the person's door does it: the password first, then the event.
async fn add(program: &mut Program, password: &str) {
    program.passwords.set(&source(), Some(secret(password)));
    program.send(added()).await;
}

fn is(passwords: &Passwords, password: &str) -> bool {
    passwords.of(&source()).is_some_and(|known| known.reveal() == password)
}

async fn held(folder: &Path) -> LoadedPasswords {
    let folder = Folder::open(folder).unwrap();
    let config = folder.read().unwrap();
    keychain(&folder, &config, LONG).load_passwords().await
}

async fn give(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    add(&mut program, SECRET).await;
    let kept = program.folder.clone();
    assert_eq!(program.end().await, []);
    let config = kept.read().unwrap();
    assert!(config.passwords_saved && !config.mcp_state_saved);
    let text = std::fs::read_to_string(kept.path().join("config.json")).unwrap();
    assert!(text.contains("reader") && !text.contains("sesame"), "{text}");
}

async fn find(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    assert_eq!(program.notices(), []);
    assert!(is(&program.passwords, SECRET));
    // Another change does not touch it.
    let (name, alias) = ("Sales".into(), "Orders".into());
    program.send(SourceEvent::Renamed { source: source(), name, alias }).await;
    program.end().await;
    let LoadedPasswords::Passwords(held) = held(folder).await else { panic!("none is kept") };
    assert_eq!(held.len(), 1);
}

async fn change(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    program.passwords.set(&source(), Some(secret("another")));
    let change = SourceChange::Password;
    program.send(SourceEvent::Changed { source: source(), change }).await;
    assert_eq!(program.end().await, []);
    let program = Program::start(folder, LONG).await;
    assert!(is(&program.passwords, "another"));
    program.end().await;
}

async fn remove(folder: &Path) {
    let mut program = Program::start(folder, LONG).await;
    program.send(SourceEvent::Removed { source: source() }).await;
    program.end().await;
    let LoadedPasswords::Passwords(held) = held(folder).await else { panic!("no item") };
    assert!(held.is_empty());
}

/// The keychain's item, as another program sees it. Not for the threads of the runtime.
fn item() -> keyring_core::Entry {
    use keyring_core::api::CredentialStoreApi;
    let store = zbus_secret_service_keyring_store::Store::new().unwrap();
    store.build("dbeast", "passwords-v1", None).unwrap()
}

async fn spoil(folder: &Path) {
    let spoilt = "{\"version\":1,\"passwords\":";
    std::thread::spawn(move || item().set_password(spoilt).unwrap()).join().unwrap();
    let mut program = Program::start(folder, LONG).await;
    assert_eq!(program.notices(), [Notice::PasswordsUnavailable]);
    assert!(program.passwords.of(&source()).is_none());
    program.passwords.set(&source(), Some(secret("for this time")));
    let change = SourceChange::Password;
    program.send(SourceEvent::Changed { source: source(), change }).await;
    assert_eq!(program.end().await, [Notice::PasswordsUnavailable]);
    let text = std::thread::spawn(|| item().get_password().unwrap()).join().unwrap();
    assert_eq!(text, spoilt);
}

async fn come_from_another_folder(shared: &Path) {
    let other = shared.join("other");
    let mut program = Program::start(&other, LONG).await;
    assert!(program.passwords.of(&source()).is_none());
    add(&mut program, "theirs").await;
    program.shows(&[Notice::PasswordsUnavailable]).await;
    program.end().await;
    let LoadedPasswords::Passwords(kept) = held(&shared.join("config")).await else {
        panic!("another folder replaced what this one keeps")
    };
    assert!(kept[&source()].reveal() == SECRET);
    assert!(matches!(held(&other).await, LoadedPasswords::OtherOwner));
}
