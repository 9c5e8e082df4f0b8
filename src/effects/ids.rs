//! The one place that makes identifiers, tokens and their hashes.
#![expect(clippy::disallowed_methods, reason = "this is the one place that asks for randomness")]

use crate::ids::{ClientId, RequestId, SessionId, SourceId};
use crate::secret::{Secret, TokenHash};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The operating system gave no randomness. Nothing that needs a fresh identifier can be done.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the operating system gave no randomness")]
pub struct NoRandomness;

/// A fresh connection identifier.
pub fn client() -> Result<ClientId, NoRandomness> {
    word::<16>("con_").map(|word| ClientId::new(&word))
}

/// A fresh public session identifier.
pub fn session() -> Result<SessionId, NoRandomness> {
    word::<16>("ses_").map(|word| SessionId::new(&word))
}

/// A fresh request identifier.
pub fn request() -> Result<RequestId, NoRandomness> {
    word::<16>("req_").map(|word| RequestId::new(&word))
}

/// A fresh source identifier.
pub fn source() -> Result<SourceId, NoRandomness> {
    word::<16>("src_").map(|word| SourceId::new(&word))
}

/// A fresh identifier of this configuration folder.
pub fn owner() -> Result<String, NoRandomness> {
    word::<16>("own_")
}

/// A fresh token of an agent connection: 256 random bits.
pub fn client_token() -> Result<Secret, NoRandomness> {
    word::<32>("dbeast_client_").map(Secret::new)
}

/// A fresh token of a session: 256 random bits.
pub fn session_token() -> Result<Secret, NoRandomness> {
    word::<32>("dbeast_session_").map(Secret::new)
}

/// A fresh key of the person: for a one-time link or a cookie. 256 random bits.
pub fn person_key() -> Result<Secret, NoRandomness> {
    word::<32>("").map(Secret::new)
}

/// A fresh key of an agent for one intent (a random UUID); only the demonstration is an agent.
pub fn request_key() -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
}

/// SHA-256 of a token as it came in.
#[must_use]
pub fn hash_token(token: &str) -> TokenHash {
    TokenHash::new(sha256(token.as_bytes()))
}

/// SHA-256 of anything.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Digest of what a log must not hold. It is keyed for each start of the program, so that a log that was given
/// away does not answer guesses: a count or a yes has few values, and they are quickly tried.
#[must_use]
pub fn digest_of_withheld(bytes: &[u8]) -> [u8; 32] {
    static KEY: OnceLock<zeroize::Zeroizing<[u8; 32]>> = OnceLock::new();
    let key = KEY.get_or_init(|| {
        let mut key = zeroize::Zeroizing::new([0_u8; 32]);
        // Without randomness no session can begin either, and nothing is brought back.
        let _ = getrandom::fill(key.as_mut());
        key
    });
    Sha256::new().chain_update(key.as_slice()).chain_update(bytes).finalize().into()
}

fn word<const BYTES: usize>(prefix: &str) -> Result<String, NoRandomness> {
    let mut bytes = zeroize::Zeroizing::new([0_u8; BYTES]);
    getrandom::fill(bytes.as_mut()).map_err(|_| NoRandomness)?;
    let mut text = String::with_capacity(prefix.len() + BYTES * 2);
    text.push_str(prefix);
    for byte in bytes.iter() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{client_token, digest_of_withheld, hash_token, request, sha256};

    #[test]
    fn identifiers_and_tokens_are_fresh_and_long_enough() {
        assert_ne!(request().unwrap(), request().unwrap());
        let token = client_token().unwrap();
        assert_eq!(token.reveal().len(), "dbeast_client_".len() + 64);
        assert_ne!(token.reveal(), client_token().unwrap().reveal());
    }

    #[test]
    fn the_digest_of_what_is_withheld_cannot_be_made_outside() {
        assert_eq!(digest_of_withheld(b"yes"), digest_of_withheld(b"yes"));
        assert_ne!(digest_of_withheld(b"yes"), digest_of_withheld(b"no"));
        assert_ne!(digest_of_withheld(b"yes"), sha256(b"yes"));
        assert_ne!(digest_of_withheld(b"yes"), sha256(&[&[0; 32], b"yes".as_slice()].concat()));
    }

    #[test]
    fn a_token_hashes_as_sha_256() {
        let hash = hash_token("abc").to_hex();
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
