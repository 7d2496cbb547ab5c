//! The procedural macros of tensor-layout.
