//! Checks that both doors share: `Host`, `Origin`, sizes.
