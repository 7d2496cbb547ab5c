//! Propagation.
