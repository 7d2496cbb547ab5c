//! Packing, unpacking, transposes and relayout, compared with the fastest copy of the same number of bytes and with peers, in one
//! run.
//!
//! `cargo bench -p dense-bench --bench movement`: criterion's statistics.
//! `cargo bench -p dense-bench --bench movement -- table [words]`: a Markdown table of the fastest of alternating runs, for the
//! rows whose names contain the words; and a table that compares movements planned at run time with those planned by rustc.

#[path = "../../harness/limits.rs"]
mod limits;
mod peers;
#[path = "../../harness/race.rs"]
mod race;
mod works;

use criterion::{Criterion, Throughput};
use race::Runner;
use std::time::Duration;

/// Prints a row of a table.
type Print = fn(&str, &[Runner<'_>], &[f64]);

/// How the work is measured.
enum Measure {
    Statistics(Box<Criterion>),
    Table(Vec<String>),
}

impl Measure {
    /// Measures the work `name`, which moves `bytes` bytes: the library first, then the copies, then peers.
    fn work(&mut self, name: &str, bytes: usize, runners: Vec<Runner<'_>>) {
        self.run(name, bytes, runners, row);
    }

    /// Measures the work `name` in several ways of the library; the table compares them with the first.
    fn ways(&mut self, name: &str, bytes: usize, runners: Vec<Runner<'_>>) {
        self.run(name, bytes, runners, |name, _, best| ratios(name, best));
    }

    fn run(&mut self, name: &str, bytes: usize, mut runners: Vec<Runner<'_>>, print: Print) {
        match self {
            Self::Statistics(criterion) => {
                let mut group = criterion.benchmark_group(name);
                group.throughput(Throughput::Bytes(bytes as u64));
                for (name, mut run) in runners {
                    group.bench_function(name, |bencher| bencher.iter(&mut run));
                }
            }
            Self::Table(words) => {
                if words.iter().all(|word| name.contains(word.as_str())) {
                    let best = race::race(&mut runners, Duration::from_millis(600));
                    print(name, &runners, &best);
                }
            }
        }
    }
}

/// Prints a row of ratios: the time of each of the others, relative to the first.
fn ratios(name: &str, best: &[f64]) {
    print!("| {name} | {:.0} ns |", best[0]);
    best[1..].iter().for_each(|other| print!(" {:.2} |", other / best[0]));
    println!();
}

/// Prints a row: the speed of the library relative to the fastest copy, to memcpy and to the peers.
fn row(name: &str, runners: &[Runner<'_>], best: &[f64]) {
    let of = |wanted: &str| {
        runners.iter().zip(best).find(|((name, _), _)| name == wanted).map(|(_, &best)| best)
    };
    let limit = limits::copies().iter().filter_map(|(name, _)| of(name)).fold(f64::MAX, f64::min);
    let peer = |name| of(name).map_or_else(String::new, |peer| format!("{:.1}", peer / best[0]));
    let own = best[0];
    let time = if own < 1e4 { format!("{own:.0} ns") } else { format!("{:.0} us", own / 1e3) };
    println!(
        "| {name} | {time} | {:.2} | {:.2} | {} | {} | {} |",
        limit / own,
        of("memcpy").unwrap_or(f64::NAN) / own,
        peer("loop"),
        peer("ndarray"),
        peer("transpose crate"),
    );
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "table");
    let mut measure = match arguments.next() {
        Some(_) => {
            println!(
                "| work | best | of B | of memcpy | per-element loop | ndarray | transpose crate |"
            );
            println!("|---|---|---|---|---|---|---|");
            Measure::Table(arguments.filter(|argument| argument != "--bench").collect())
        }
        None => {
            let criterion = Criterion::default()
                .sample_size(20)
                .warm_up_time(Duration::from_millis(200))
                .measurement_time(Duration::from_secs(1));
            Measure::Statistics(Box::new(criterion.configure_from_args()))
        }
    };
    works::all(&mut measure);
    if let Measure::Table(_) = measure {
        println!("\n| movement at run time | by a `Mover` | typed | one-shot |");
        println!("|---|---|---|---|");
    }
    works::at_run_time(&mut measure);
    if let Measure::Statistics(criterion) = measure {
        criterion.final_summary();
    }
}
