//! Layouts against the documents' rule, on random ones.

mod parts;
mod random;
mod same_bytes;
