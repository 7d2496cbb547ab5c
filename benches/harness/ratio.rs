//! Two ways to do one thing, taken in turn: the fastest run of each, and how they compare.

use std::time::{Duration, Instant};

/// Prints a row for each comparison.
pub(crate) struct Table {
    /// How long one comparison may take.
    budget: Duration,
    /// What the names of rows must contain.
    words: Vec<String>,
}

impl Table {
    /// A table of the rows whose names contain all of `words`.
    pub(crate) fn new(budget: Duration, words: Vec<String>) -> Self {
        println!("{:<50} {:>10} {:>10} {:>7}", "", "packed", "plain", "ratio");
        Self { budget, words }
    }

    /// Adds what moves `bytes` bytes; a ratio above 1 says that `packed` is faster.
    pub(crate) fn row(
        &self,
        name: &str,
        bytes: usize,
        mut packed: impl FnMut(),
        mut plain: impl FnMut(),
    ) {
        if !self.words.iter().all(|word| name.contains(word)) {
            return;
        }
        // Enough calls for the clock to see.
        let calls = (200_000 / bytes.max(1)).max(1);
        let mut best = [Duration::MAX; 2];
        let start = Instant::now();
        while start.elapsed() < self.budget {
            best[0] = best[0].min(time(calls, &mut packed));
            best[1] = best[1].min(time(calls, &mut plain));
        }
        let speed = best.map(|best| (bytes * calls) as f64 / best.as_secs_f64() / 1e9);
        println!(
            "{name:<50} {:>5.1} GB/s {:>5.1} GB/s {:>7.2}",
            speed[0],
            speed[1],
            speed[0] / speed[1]
        );
    }
}

fn time(calls: usize, f: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed()
}
