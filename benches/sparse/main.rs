//! Sparse kernels, compared with handwritten loops and with the crates sprs, faer and nalgebra-sparse, in one run.
//!
//! `cargo bench -p sparse-bench --bench sparse`: criterion's statistics. With `-- table [words]`: a Markdown table of the fastest
//! of alternating runs, for the rows whose names contain the words.

mod hand;
mod kernels;
#[path = "../harness/library.rs"]
#[cfg(unix)]
mod library;
#[cfg(unix)]
mod mkl;
mod peers;
#[path = "../harness/race.rs"]
mod race;
mod works;

use criterion::{Criterion, Throughput};
use race::Runner;
use std::time::Duration;

/// The runners: the library, the library on all threads (feature `parallel`), our CSR if the row has another encoding, handwritten
/// loops, other crates, and, if `TENSOR_LAYOUT_BLAS` names it, MKL with the matrix as CSR, and with the matrix in the format that MKL
/// chooses for many products.
const COLUMNS: [&str; 9] =
    ["own", "threads", "own CSR", "hand", "sprs", "faer", "nalgebra", "MKL CSR", "MKL prepared"];

/// Runs of a kernel that are timed together.
const REPEATS: usize = 4;

/// How the work is measured.
enum Measure {
    Statistics(Box<Criterion>),
    Table(Vec<String>),
}

impl Measure {
    /// Whether a row is wanted.
    fn wants(&self, name: &str) -> bool {
        match self {
            Self::Statistics(_) => true,
            Self::Table(words) => words.iter().all(|word| name.contains(word.as_str())),
        }
    }

    /// Measures the work `name`, of `units` units (entries, multiplications).
    fn work(&mut self, name: &str, units: usize, runners: Vec<Runner<'_>>) {
        match self {
            Self::Statistics(criterion) => {
                let mut group = criterion.benchmark_group(name);
                group.throughput(Throughput::Elements(units as u64));
                for (name, mut run) in runners {
                    group.bench_function(name, |bencher| bencher.iter(&mut run));
                }
            }
            Self::Table(_) => {
                // Several times each, so that the caches contain the data of this kernel and not of the others.
                let repeated = runners.into_iter().map(|(name, mut run)| {
                    let run: Box<dyn FnMut() + '_> =
                        Box::new(move || (0..REPEATS).for_each(|_| run()));
                    (name, run)
                });
                let mut runners: Vec<Runner<'_>> = repeated.collect();
                let best = race::race(&mut runners, Duration::from_millis(2500));
                row(name, units * REPEATS, &runners, &best);
            }
        }
    }
}

/// Prints nanoseconds per unit; of several that share a name's first word the fastest.
fn row(name: &str, units: usize, runners: &[Runner<'_>], best: &[f64]) {
    let of = |column: &str| {
        let exact = column.starts_with("own") || column.starts_with("MKL");
        let is = |name: &str| if exact { name == column } else { name.starts_with(column) };
        let named = runners.iter().zip(best).filter(|((name, _), _)| is(name));
        named.map(|(_, best)| best / units as f64).fold(f64::INFINITY, f64::min)
    };
    let cells = COLUMNS.map(|column| match of(column) {
        time if time.is_finite() => format!("{time:.3}"),
        _ => "-".into(),
    });
    println!("| {name} | {} |", cells.join(" | "));
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "table");
    let mut measure = match arguments.next() {
        Some(_) => {
            println!("| ns per unit | {} |", COLUMNS.join(" | "));
            println!("|---{}|", "|---".repeat(COLUMNS.len()));
            Measure::Table(arguments.filter(|argument| argument != "--bench").collect())
        }
        None => {
            let criterion = Criterion::default()
                .sample_size(10)
                .warm_up_time(Duration::from_millis(200))
                .measurement_time(Duration::from_secs(1));
            Measure::Statistics(Box::new(criterion.configure_from_args()))
        }
    };
    works::all(&mut measure);
    if let Measure::Statistics(criterion) = measure {
        criterion.final_summary();
    }
}
