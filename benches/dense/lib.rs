//! The benches of this package are its content.
