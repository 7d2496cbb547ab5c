//! The number of random cases of a test.

/// `PROPTEST_CASES`, as everywhere, or `enough` for each run.
pub(crate) fn cases(enough: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(enough)
}
