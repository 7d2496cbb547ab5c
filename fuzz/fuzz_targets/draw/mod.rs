//! Values of the strategies of the random tests, generated from the fuzzer's bytes.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The value that a strategy generates if its random numbers follow from the first bytes.
///
/// They cannot be the bytes themselves: a strategy splits them at each choice, and then would reject zeros forever.
pub(crate) fn draw<S: Strategy>(strategy: S, bytes: &[u8]) -> Option<S::Value> {
    let mut seed = [0; 32];
    seed.iter_mut().zip(bytes).for_each(|(seed, byte)| *seed = *byte);
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, random);
    Some(strategy.new_tree(&mut runner).ok()?.current())
}

/// The first eight bytes as a seed, and the bytes after them.
pub(crate) fn seed(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (seed, rest) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*seed), rest))
}
