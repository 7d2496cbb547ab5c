//! Sparse kernels from index notation: a statement about tensors, whatever their encodings, becomes loops over their
//! storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [check] -> [schedule] -> Plan -> [lower] -> Kernel (the loops) -> run, or Rust
//! ```

pub mod ir;
mod op;
mod print;

pub use ir::Kernel;
