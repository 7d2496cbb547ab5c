//! This package consists of its benches.
