//! Runs every collective between threads.

mod checks;

use tensor_layout::sharding::run::threads;

#[test]
fn between_threads() {
    let ran = threads::run(8, checks::run);
    assert_eq!(ran.len(), 8);
}
