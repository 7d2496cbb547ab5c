//! Runs every collective between threads.
#![cfg(all(feature = "sparse", feature = "sharding"))]

mod checks;
mod sparse;

use tensor_layout::sharding::run::threads;

#[test]
fn between_threads() {
    let ran = threads::run(8, checks::run);
    assert_eq!(ran.len(), 8);
}

#[test]
fn products_with_sparse_tensors_between_threads() {
    let ran = threads::run(8, sparse::run);
    assert_eq!(ran.len(), 8);
}
