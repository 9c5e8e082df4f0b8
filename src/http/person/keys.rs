//! The person's keys: one-time links and the cookies that they are exchanged for. In memory only,
//! as hashes only, so that neither a file nor a dump of this table opens the door.

use crate::effects::ids::{self, NoRandomness};
use crate::secret::{Secret, TokenHash};
use crate::store::Clock;
use crate::time::{Duration, Millis};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// How long a link can be used: long enough to find the browser, short enough to be worthless in
/// a terminal's history.
const LINK_LIFETIME: Duration = Duration::minutes(10);
/// Links that can be used at the same time. One more replaces the oldest.
const LINKS_MAX: usize = 4;
/// Browsers that are let in at the same time. One more shuts out the oldest.
const COOKIES_MAX: usize = 8;

/// Makes links, exchanges them for cookies, and knows whom they let in. A clone is the same ring.
#[derive(Clone)]
pub struct Keys {
    clock: Clock,
    ring: Arc<Mutex<Ring>>,
}

#[derive(Default)]
struct Ring {
    links: VecDeque<Link>,
    cookies: VecDeque<Cookie>,
    is_closed: bool,
}

struct Link {
    hash: TokenHash,
    valid_until: Millis,
}

struct Cookie {
    hash: TokenHash,
    /// Cancelled when the cookie lets nobody in any more; open streams end by it.
    revoked: CancellationToken,
}

/// What a link is exchanged for.
pub(super) struct Entry {
    /// The cookie that lets in.
    pub(super) cookie: Secret,
    /// The part of the address below which the browser sends it. All ports of 127.0.0.1 share one
    /// jar of cookies; a page of another local server must not be sent this one.
    pub(super) place: Secret,
}

/// Why a link was not exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotExchanged {
    /// Used, expired, replaced or never made. The same answer for all of them.
    NotValid,
    /// No cookie could be made. The link is still good.
    NoRandomness,
}

impl Keys {
    /// No links, no cookies.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, ring: Arc::default() }
    }

    /// A fresh link to the door on this port. It opens once, within [`LINK_LIFETIME`].
    pub fn link(&self, port: u16) -> Result<Secret, NoRandomness> {
        let key = ids::person_key()?;
        let link = Link {
            hash: ids::hash_token(key.reveal()),
            valid_until: (self.clock)().plus(LINK_LIFETIME),
        };
        let mut ring = self.ring();
        ring.links.push_back(link);
        while ring.links.len() > LINKS_MAX {
            ring.links.pop_front();
        }
        Ok(Secret::new(format!("http://127.0.0.1:{port}/open/{}", key.reveal())))
    }

    /// Shuts everybody out for good: no link opens, no cookie lets in, all streams end.
    pub fn close(&self) {
        let mut ring = self.ring();
        ring.is_closed = true;
        ring.links.clear();
        for cookie in ring.cookies.drain(..) {
            cookie.revoked.cancel();
        }
    }

    /// Burns a link and gives the cookie for it.
    pub(super) fn exchange(&self, key: &str) -> Result<Entry, NotExchanged> {
        let hash = ids::hash_token(key);
        let now = (self.clock)();
        let mut ring = self.ring();
        ring.links.retain(|link| link.valid_until > now);
        let position = position_of(ring.links.iter().map(|link| link.hash), hash);
        let position = position.ok_or(NotExchanged::NotValid)?;
        if ring.is_closed {
            return Err(NotExchanged::NotValid);
        }
        let fresh = || ids::person_key().map_err(|NoRandomness| NotExchanged::NoRandomness);
        let (cookie, place) = (fresh()?, fresh()?);
        ring.links.remove(position);
        ring.cookies.push_back(Cookie {
            hash: ids::hash_token(cookie.reveal()),
            revoked: CancellationToken::new(),
        });
        while ring.cookies.len() > COOKIES_MAX {
            if let Some(oldest) = ring.cookies.pop_front() {
                oldest.revoked.cancel();
            }
        }
        Ok(Entry { cookie, place })
    }

    /// Whether a cookie lets in; if so, what tells that it does not any more.
    pub(super) fn admit(&self, cookie: &str) -> Option<CancellationToken> {
        let hash = ids::hash_token(cookie);
        let ring = self.ring();
        let position = position_of(ring.cookies.iter().map(|cookie| cookie.hash), hash)?;
        ring.cookies.get(position).map(|cookie| cookie.revoked.clone())
    }

    /// Nothing in here can be left half done, so a panic elsewhere does not spoil it.
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compares with every entry, so that the time says nothing about which one it was.
fn position_of(hashes: impl Iterator<Item = TokenHash>, wanted: TokenHash) -> Option<usize> {
    let mut found = None;
    for (position, hash) in hashes.enumerate() {
        if hash == wanted {
            found = Some(position);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{COOKIES_MAX, Keys, LINK_LIFETIME, LINKS_MAX, NotExchanged};
    use crate::time::Millis;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn keys() -> (Keys, Arc<AtomicU64>) {
        let now = Arc::new(AtomicU64::new(1));
        let clock = now.clone();
        (Keys::new(Arc::new(move || Millis(clock.load(Ordering::SeqCst)))), now)
    }

    fn link(keys: &Keys) -> String {
        let link = keys.link(7).unwrap();
        link.reveal().strip_prefix("http://127.0.0.1:7/open/").unwrap().to_owned()
    }

    #[test]
    fn a_link_is_good_once() {
        let (keys, _) = keys();
        let key = link(&keys);
        let cookie = keys.exchange(&key).unwrap().cookie;
        assert!(keys.admit(cookie.reveal()).is_some());
        assert_eq!(keys.exchange(&key).err(), Some(NotExchanged::NotValid));
        assert!(keys.admit(&key).is_none(), "a link's key is no cookie");
        assert!(keys.exchange(cookie.reveal()).is_err(), "a cookie is no link");
    }

    #[test]
    fn a_link_is_good_until_its_time_is_over() {
        let (keys, now) = keys();
        let (early, late) = (link(&keys), link(&keys));
        now.store(LINK_LIFETIME.0, Ordering::SeqCst);
        assert!(keys.exchange(&early).is_ok());
        now.store(1 + LINK_LIFETIME.0, Ordering::SeqCst);
        assert!(keys.exchange(&late).is_err());
    }

    #[test]
    fn links_and_cookies_are_bounded_and_the_oldest_goes() {
        let (keys, _) = keys();
        let first = link(&keys);
        let links: Vec<String> = (0..LINKS_MAX).map(|_| link(&keys)).collect();
        assert!(keys.exchange(&first).is_err());
        let oldest = keys.exchange(&links[0]).unwrap().cookie;
        let revoked = keys.admit(oldest.reveal()).unwrap();
        for _ in 0..COOKIES_MAX {
            assert!(!revoked.is_cancelled());
            keys.exchange(&link(&keys)).unwrap();
        }
        assert!(revoked.is_cancelled() && keys.admit(oldest.reveal()).is_none());
    }

    #[test]
    fn closing_shuts_everybody_out_for_good() {
        let (keys, _) = keys();
        let cookie = keys.exchange(&link(&keys)).unwrap().cookie;
        let revoked = keys.admit(cookie.reveal()).unwrap();
        keys.close();
        assert!(revoked.is_cancelled() && keys.admit(cookie.reveal()).is_none());
        assert!(keys.exchange(&link(&keys)).is_err());
    }
}
