//! Whose browser it is. A link stands for a moment in the command line of the browser that it is
//! handed to, and on Linux every user can read that (`proc(5)`, `/proc/pid/cmdline`). So a
//! link opens only for a program of the user who runs DBeast: the kernel says whose a connection is.

use std::net::SocketAddr;

/// Whether the program at the other end belongs to another user. Where the system does not tell
/// (no `/proc`), it does not tell command lines either.
#[cfg(target_os = "linux")]
pub(super) async fn is_of_other_user(peer: SocketAddr, door_port: u16) -> bool {
    let looked = tokio::task::spawn_blocking(move || linux::is_of_other_user(peer, door_port));
    looked.await.unwrap_or(true)
}

#[cfg(not(target_os = "linux"))]
pub(super) async fn is_of_other_user(_peer: SocketAddr, _door_port: u16) -> bool {
    false
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};
    use std::os::unix::fs::MetadataExt;

    /// `TCP_ESTABLISHED` in the kernel's tables; a socket that is closing has no owner any more.
    const ESTABLISHED: &str = "01";
    /// Nothing on this machine is hidden from this user.
    const ROOT: u32 = 0;

    pub(super) fn is_of_other_user(peer: SocketAddr, door_port: u16) -> bool {
        let (Ok(own), Ok(table)) =
            (std::fs::metadata("/proc/self"), std::fs::read_to_string("/proc/net/tcp"))
        else {
            return false;
        };
        let mapped = std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
        let owner =
            owner_of(&table, peer, door_port).or_else(|| owner_of(&mapped, peer, door_port));
        owner != Some(own.uid()) && owner != Some(ROOT)
    }

    /// The user of the socket at `peer` that is connected to the door, by a table of the kernel.
    pub(super) fn owner_of(table: &str, peer: SocketAddr, door_port: u16) -> Option<u32> {
        let IpAddr::V4(address) = peer.ip() else { return None };
        let local = place(address, peer.port());
        let remote = place(Ipv4Addr::LOCALHOST, door_port);
        table.lines().find_map(|line| {
            let mut fields = line.split_ascii_whitespace().skip(1);
            let is_it = ends_with(fields.next()?, &local)
                && ends_with(fields.next()?, &remote)
                && fields.next()? == ESTABLISHED;
            // Queues, timer and retransmissions stand between the state and the user.
            is_it.then(|| fields.nth(3)?.parse().ok())?
        })
    }

    /// An address as the kernel writes it: its bytes as one number of the machine.
    fn place(address: Ipv4Addr, port: u16) -> String {
        format!("{:08X}:{port:04X}", u32::from_ne_bytes(address.octets()))
    }

    /// In the table of IPv6 the mapped address stands at the end of a longer one.
    fn ends_with(field: &str, place: &str) -> bool {
        field == place || field.len() == 37 && field.ends_with(place)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::linux::owner_of;
    use std::net::SocketAddr;

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:A000 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1001        0 2 1
   2: 0100007F:1267 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1000        0 3 1
   3: 0100007F:A001 0100007F:1267 06 00000000:00000000 03:000003E8 00000000     0        0 0 3
   4: 0200007F:A002 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1002        0 5 1";
    const MAPPED: &str = "\
   0: 0000000000000000FFFF00000100007F:A003 0000000000000000FFFF00000100007F:1267 01 \
00000000:00000000 00:00000000 00000000  1003        0 6 1";

    fn owner(table: &str, peer: &str) -> Option<u32> {
        let peer: SocketAddr = peer.parse().ok()?;
        // The table above was written by a little-endian machine.
        if cfg!(target_endian = "little") { owner_of(table, peer, 0x1267) } else { None }
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn the_client_side_of_the_connection_tells_the_user() {
        assert_eq!(owner(TABLE, "127.0.0.1:40960"), Some(1001), "not the door's side of it");
        assert_eq!(owner(TABLE, "127.0.0.2:40962"), Some(1002));
        assert_eq!(owner(MAPPED, "127.0.0.1:40963"), Some(1003));
    }

    #[test]
    fn a_connection_that_is_closing_or_unknown_belongs_to_nobody() {
        assert_eq!(owner(TABLE, "127.0.0.1:40961"), None);
        assert_eq!(owner(TABLE, "127.0.0.1:50000"), None);
        assert_eq!(owner("", "127.0.0.1:40960"), None);
        assert_eq!(owner("a line that is short", "127.0.0.1:40960"), None);
    }
}
