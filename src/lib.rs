pub mod ids;
pub mod reason;
pub mod secret;
pub mod time;
pub mod value;
pub mod events;
pub mod reducer;
pub mod store;
