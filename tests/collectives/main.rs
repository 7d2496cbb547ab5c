//! Runs every collective between threads.
#![cfg(all(feature = "sparse", feature = "sharding"))]

mod checks;
mod ops;
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

#[test]
fn operations_on_shards_between_threads() {
    threads::run(1, ops::one::run);
    threads::run(2, ops::two::run);
    threads::run(4, ops::four::run);
    threads::run(6, ops::six::run);
    threads::run(8, ops::eight::run);
}
