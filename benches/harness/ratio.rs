//! Several ways to compute one result, run alternately: the fastest run of each, and the ratio of the others to the first.

use std::time::{Duration, Instant};

/// A way to do something, with its name.
pub(crate) type Way<'a> = (&'static str, &'a mut dyn FnMut());

/// Prints a row for each comparison.
pub(crate) struct Table {
    /// The largest time of one comparison.
    budget: Duration,
    /// The words that the names of rows must contain.
    words: Vec<String>,
}

impl Table {
    /// Long enough for the resolution of the clock.
    const LEAST: Duration = Duration::from_micros(50);

    /// A table of the rows whose names contain all of `words`.
    pub(crate) fn new(budget: Duration, words: Vec<String>) -> Self {
        Self { budget, words }
    }

    /// Adds a row that moves `bytes` bytes; a ratio above 1 means that the first way is faster.
    pub(crate) fn row(&self, name: &str, bytes: usize, ways: &mut [Way<'_>]) {
        if !self.words.iter().all(|word| name.contains(word)) {
            return;
        }
        let mut best = vec![Duration::MAX; ways.len()];
        let mut calls = 1;
        while time(calls, &mut *ways[0].1) < Self::LEAST {
            calls *= 2;
        }
        let start = Instant::now();
        while start.elapsed() < self.budget {
            for (best, (_, way)) in best.iter_mut().zip(&mut *ways) {
                *best = (*best).min(time(calls, &mut **way));
            }
        }
        print!("{name:<48}");
        for (best_of, (way, _)) in best.iter().zip(ways) {
            let speed = (bytes * calls) as f64 / best_of.as_secs_f64() / 1e9;
            let ratio = best_of.as_secs_f64() / best[0].as_secs_f64();
            print!("  {way} {speed:>5.1} GB/s");
            if *best_of != best[0] {
                print!(" ({ratio:.2})");
            }
        }
        println!();
    }
}

fn time(calls: usize, f: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed()
}
