//! The agents' door.
