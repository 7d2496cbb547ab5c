//! Asks rust-analyzer for its completions inside the macros, and for what it shows of the layouts that they define.

#[cfg(feature = "editor")]
pub mod server;
