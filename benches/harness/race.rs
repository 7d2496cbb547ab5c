//! Several ways to compute one result, run alternately: the fastest run of each.

use std::time::{Duration, Instant};

/// One of these ways.
pub(crate) type Runner<'a> = (String, Box<dyn FnMut() + 'a>);

/// The fastest run of each, in nanoseconds.
pub(crate) fn race(runners: &mut [Runner<'_>], budget: Duration) -> Vec<f64> {
    let mut calls = Vec::new();
    for (_, run) in runners.iter_mut() {
        run();
        // Enough calls for the resolution of the clock.
        calls.push((20_000.0 / time(1, run).max(1.0)).ceil() as u32);
    }
    let mut best = vec![f64::MAX; runners.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < budget || rounds < 5 {
        let fastest = best.iter().copied().fold(f64::MAX, f64::min);
        for (((_, run), calls), best) in runners.iter_mut().zip(&calls).zip(&mut best) {
            // A way that is much slower than the fastest runs less often, which saves time.
            if rounds < 3 || rounds % 8 == 0 || *best < 4.0 * fastest {
                *best = best.min(time(*calls, run));
            }
        }
        rounds += 1;
    }
    best
}

fn time(calls: u32, run: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}
