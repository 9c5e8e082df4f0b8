//! The items of the system's keychain, with a bounded wait for each call.

use super::Unavailable;
use keyring_core::{CredentialStore, Error};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, oneshot};
use zeroize::Zeroizing;

/// The service of all items.
pub(super) const SERVICE: &str = "dbeast";
/// An item's user: what is in it, and the version of its form. Connections and sharing.
pub(super) const CONNECTIONS: &str = "mcp-v1";
/// Passwords of sources.
pub(super) const PASSWORDS: &str = "passwords-v1";

/// The items. Calls are made one after the other.
#[derive(Debug)]
pub(super) struct Keychain {
    wait: Duration,
    /// Held by the call that is under way. One that does not come back keeps it, and later calls
    /// run out of time instead of piling up behind it.
    turn: Arc<Mutex<()>>,
}

impl Keychain {
    pub(super) fn new(wait: Duration) -> Self {
        Self { wait, turn: Arc::default() }
    }

    /// The text of this user's item; none if there is no item.
    pub(super) async fn read(
        &self,
        user: &'static str,
    ) -> Result<Option<Zeroizing<String>>, Unavailable> {
        self.call(move |store| match store.build(SERVICE, user, None)?.get_password() {
            Ok(text) => Ok(Some(Zeroizing::new(text))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Makes the item or replaces its text.
    pub(super) async fn write(
        &self,
        user: &'static str,
        text: Zeroizing<String>,
    ) -> Result<(), Unavailable> {
        self.call(move |store| store.build(SERVICE, user, None)?.set_password(&text)).await
    }

    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&CredentialStore) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let late = |_| Unavailable(format!("it did not answer within {:?}", self.wait));
        let whole = async {
            let turn = self.turn.clone().lock_owned().await;
            let (answer, answered) = oneshot::channel();
            // A thread of our own: the runtime waits for its own ones at the end, and this one may
            // never come back. The store lives and dies on it, for it blocks even when it is dropped.
            let started =
                std::thread::Builder::new().name("keychain".to_owned()).spawn(move || {
                    // An error may hold the store as well, so it becomes words here.
                    let done =
                        reach().and_then(|store| work(&*store)).map_err(|error| explain(&error));
                    drop(turn);
                    // Whoever asked may have run out of time.
                    let _ = answer.send(done);
                });
            started.map_err(|error| Unavailable(error.to_string()))?;
            answered.await.map_err(|_| Unavailable("it broke off".to_owned()))?
        };
        tokio::time::timeout(self.wait, whole).await.map_err(late)?
    }
}

#[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "openbsd"))]
fn reach() -> Result<Arc<CredentialStore>, Error> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn reach() -> Result<Arc<CredentialStore>, Error> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn reach() -> Result<Arc<CredentialStore>, Error> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "openbsd",
    target_os = "macos",
    windows
)))]
fn reach() -> Result<Arc<CredentialStore>, Error> {
    Err(Error::NotSupportedByStore("this system has no keychain that DBeast knows".to_owned()))
}

/// The cause in words. Errors that carry the item's content are named without it.
fn explain(error: &Error) -> Unavailable {
    Unavailable(match error {
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "the item is not text".to_owned(),
        Error::Ambiguous(items) => format!("there are {} items of that name", items.len()),
        Error::PlatformFailure(_)
        | Error::NoStorageAccess(_)
        | Error::NoEntry
        | Error::BadStoreFormat(_)
        | Error::TooLong(..)
        | Error::Invalid(..)
        | Error::NoDefaultStore
        | Error::NotSupportedByStore(_) => error.to_string(),
        // The library may learn more; what it says then is not known to be free of secrets.
        _ => "it failed in a way that DBeast does not know".to_owned(),
    })
}
