//! The person's door.
