//! One item of the system's keychain, with a bounded wait for each call.

use super::Unavailable;
use keyring_core::{CredentialStore, Error};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use zeroize::Zeroizing;

/// The item's service.
pub(super) const SERVICE: &str = "dbeast";
/// The item's user: what is in it, and the version of its form.
pub(super) const USER: &str = "mcp-v1";

/// The item. Calls are made one after the other.
#[derive(Debug)]
pub(super) struct Keychain {
    wait: Duration,
    /// The system's store once it was reached. A call that does not come back keeps it locked, and
    /// later calls see that instead of piling up behind it.
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
}

impl Keychain {
    pub(super) fn new(wait: Duration) -> Self {
        Self { wait, store: Arc::default() }
    }

    /// The item's text; none if there is no item.
    pub(super) async fn read(&self) -> Result<Option<Zeroizing<String>>, Unavailable> {
        self.call(|store| match store.build(SERVICE, USER, None)?.get_password() {
            Ok(text) => Ok(Some(Zeroizing::new(text))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Makes the item or replaces its text.
    pub(super) async fn write(&self, text: Zeroizing<String>) -> Result<(), Unavailable> {
        self.call(move |store| store.build(SERVICE, USER, None)?.set_password(&text)).await
    }

    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&CredentialStore) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let late = |_| Unavailable(format!("it did not answer within {:?}", self.wait));
        let whole = async {
            let store = self.store.clone().lock_owned().await;
            let (answer, answered) = oneshot::channel();
            // A thread of our own: the runtime waits for its own ones at the end, and this one may
            // never come back.
            let started =
                std::thread::Builder::new().name("keychain".to_owned()).spawn(move || {
                    let _ = answer.send(with_store(store, work));
                });
            started.map_err(|error| Unavailable(error.to_string()))?;
            answered.await.map_err(|_| Unavailable("it broke off".to_owned()))?.map_err(explain)
        };
        tokio::time::timeout(self.wait, whole).await.map_err(late)?
    }
}

fn with_store<T>(
    mut store: OwnedMutexGuard<Option<Arc<CredentialStore>>>,
    work: impl FnOnce(&CredentialStore) -> Result<T, Error>,
) -> Result<T, Error> {
    let reached = match store.take() {
        Some(reached) => reached,
        None => reach()?,
    };
    let done = work(&*reached);
    // After a failure the next call starts from the beginning: the keychain may have been restarted.
    if done.is_ok() {
        *store = Some(reached);
    }
    done
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
fn explain(error: Error) -> Unavailable {
    Unavailable(match error {
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "the item is not text".to_owned(),
        Error::Ambiguous(items) => format!("there are {} items of that name", items.len()),
        error => error.to_string(),
    })
}
