//! Four computations on one large graph, with kernels that `sparse_kernel!` generates: PageRank, conjugate gradients with a
//! block preconditioner, two layers of a graph neural network with sparse attention, and triangle counting.
//!
//! ```sh
//! cargo run --release -p graph --features parallel
//! cargo run --release -p graph -- --rows 100000
//! cargo run --release -p graph -- FILE.mtx
//! ```
//!
//! Plain loops on one thread compute the same results. The program prints both times, and fails if the results differ by more than
//! rounding explains.

mod attention;
mod gradients;
mod graph;
mod page_rank;
mod triangles;

use clap::Parser;
use graph::Graph;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Computes on a large graph, with sparse kernels and with plain loops.
#[derive(Parser)]
struct Arguments {
    /// A Matrix Market file: its entries are edges, in both directions. Without it, a graph is generated.
    file: Option<PathBuf>,
    /// The number of vertices of the generated graph.
    #[arg(long, env = "GRAPH_ROWS", default_value_t = 1_000_000)]
    rows: usize,
}

/// The outcome of a computation by the kernels and by plain loops.
struct Outcome {
    name: &'static str,
    kernels: Duration,
    plain: Duration,
    /// The result, as text.
    found: String,
    /// The largest difference between the two, and the largest that rounding explains.
    difference: f64,
    bound: f64,
}

impl Outcome {
    /// Whether the results agree except for rounding. A NaN never agrees.
    fn agrees(&self) -> bool {
        self.difference <= self.bound
    }
}

/// The result of a function, and the time that it took.
fn timed<R>(work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

/// A computation on a graph, which reports each step to the bar.
type Work = fn(&Graph, &ProgressBar) -> Result<Outcome>;
const WORKS: [(Work, u64); 4] = [
    (page_rank::run, page_rank::STEPS),
    (gradients::run, gradients::STEPS),
    (attention::run, attention::STEPS),
    (triangles::run, triangles::STEPS),
];

/// Runs all computations, and calls `done` with the outcome of each.
fn run(graph: &Graph, bar: &ProgressBar, mut done: impl FnMut(&Outcome)) -> Result<bool> {
    bar.set_length(WORKS.iter().map(|(_, steps)| steps).sum());
    let mut agree = true;
    let mut steps = 0;
    for (work, more) in WORKS {
        let outcome = work(graph, bar)?;
        agree &= outcome.agrees();
        done(&outcome);
        // A computation may end before its last step.
        steps += more;
        bar.set_position(steps);
    }
    bar.finish_and_clear();
    Ok(agree)
}

fn start() -> Result<bool> {
    let arguments = Arguments::parse();
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{msg:24} [{bar:40}] {pos}/{len} {elapsed}")?);
    bar.set_message("graph");
    let (graph, time) = timed(|| match &arguments.file {
        Some(file) => Graph::read(file),
        None => Graph::made(arguments.rows),
    })?;
    let (vertices, entries) = (graph.vertices(), graph.edges.values().len());
    bar.suspend(|| {
        println!("{vertices} vertices, {entries} entries, built in {:.2} s\n", time.as_secs_f64());
        println!("| work | kernels | plain loops, one thread | times as fast | result | difference | bound |");
        println!("|---|---|---|---|---|---|---|");
    });
    let agree = run(&graph, &bar, |outcome| {
        let Outcome { name, kernels, plain, found, difference, bound } = outcome;
        let (kernels, plain) = (kernels.as_secs_f64(), plain.as_secs_f64());
        bar.suspend(|| {
            println!(
                "| {name} | {kernels:.3} s | {plain:.3} s | {:.2} | {found} | {difference:.1e} | {bound:.1e} |",
                plain / kernels,
            );
        });
    })?;
    if arguments.file.is_none() {
        println!(
            "\nNext: give a graph of your own, `-- FILE`; read the kernel of PageRank, examples/graph/src/page_rank.rs; see what an encoding\n\
             costs, `cargo run --release -p sparse_formats`."
        );
    }
    Ok(agree)
}

fn main() -> ExitCode {
    match start() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("kernels and plain loops differ by more than the bound");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_and_plain_loops_agree() {
        // Sizes for which a block of the preconditioner is cut off, some threads have no rows, or the graph has no edges.
        for rows in [1, 2, 7, 501, 3000] {
            let graph = Graph::made(rows).expect("a graph");
            let agree = run(&graph, &ProgressBar::hidden(), |outcome| {
                let Outcome { name, difference, bound, .. } = outcome;
                assert!(outcome.agrees(), "{name}, {rows} rows: {difference} is above {bound}");
            });
            assert!(agree.expect("results"));
        }
    }

    #[test]
    fn files_are_graphs_of_edges_in_both_directions() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../sparse_formats/karate.mtx");
        let graph = Graph::read(file.as_ref()).expect("a graph");
        assert_eq!((graph.vertices(), graph.edges.values().len()), (34, 156));
        let outcome = triangles::run(&graph, &ProgressBar::hidden()).expect("a number");
        assert_eq!(outcome.found, "45 triangles");
    }
}
