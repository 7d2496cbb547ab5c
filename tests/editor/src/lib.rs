//! Asks rust-analyzer what it offers inside the macros, and what it shows of the layouts that they define.

#[cfg(feature = "editor")]
pub mod server;
