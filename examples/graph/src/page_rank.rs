//! PageRank: the probability that a random walk over the edges is at a vertex. With a probability of 0.15 per step, the walk
//! restarts at a random vertex.

use crate::graph::{Csr, Graph};
use crate::{Outcome, Result, timed};
use indicatif::ProgressBar;
use tensor_layout::sparse_kernel;

const DAMPING: f64 = 0.85;
pub(crate) const STEPS: u64 = 20;

sparse_kernel! {
    /// Adds the contributions of its neighbours to the rank of each vertex.
    fn spread(a: Csr<f64>[i, j], given: Dense<f64>[j], damping: f64) -> rank: Dense<f64>[i] {
        rank[i] += damping * a[i, j] * given[j];
        parallel(i)
    }
    /// The contribution of each vertex to each of its neighbours.
    fn share(rank: Dense<f64>[i], degree: Dense<f64>[i]) -> given: Dense<f64>[i] {
        given[i] = rank[i] / max(degree[i], 1);
        parallel(i)
    }
    /// The total rank of the vertices without edges, which is distributed to all vertices.
    fn lost(rank: Dense<f64>[i], degree: Dense<f64>[i]) -> s: f64 {
        s += select(degree[i], 0, rank[i]);
        parallel(i)
    }
}

pub(crate) fn run(graph: &Graph, bar: &ProgressBar) -> Result<Outcome> {
    bar.set_message("PageRank");
    let (n, degrees) = (graph.vertices(), &graph.degrees);
    let even = 1.0 / n as f64;
    let (ranks, kernels) = timed(|| {
        let (mut rank, mut given) = (vec![even; n], vec![0.0; n]);
        for _ in 0..STEPS {
            share_into(&rank, degrees, &mut given)?;
            let everywhere = (1.0 - DAMPING + DAMPING * lost(&rank, degrees)?) * even;
            rank.fill(everywhere);
            spread_into(&graph.edges, &given, DAMPING, &mut rank)?;
            bar.inc(1);
        }
        Ok(rank)
    })?;
    let (expected, plain) = timed(|| Ok(plain(graph)))?;
    // Each step rounds one sum per edge of a vertex, and the sum of all ranks is 1.
    let differences = ranks.iter().zip(&expected).map(|(rank, expected)| (rank - expected).abs());
    let difference = differences.sum::<f64>() + (ranks.iter().sum::<f64>() - 1.0).abs();
    let most = ranks.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    let found = most.map_or_else(String::new, |(at, rank)| format!("vertex {at} has {rank:.2e}"));
    Ok(Outcome { name: "PageRank, 20 steps", kernels, plain, found, difference, bound: 1e-10 })
}

fn plain(graph: &Graph) -> Vec<f64> {
    let (n, degrees, rows) = (graph.vertices(), &graph.degrees, graph.rows());
    let (mut rank, mut given) = (vec![1.0 / n as f64; n], vec![0.0; n]);
    for _ in 0..STEPS {
        let mut lost = 0.0;
        for i in 0..n {
            given[i] = rank[i] / degrees[i].max(1.0);
            if degrees[i] == 0.0 {
                lost += rank[i];
            }
        }
        let everywhere = (1.0 - DAMPING + DAMPING * lost) / n as f64;
        for (i, rank) in rank.iter_mut().enumerate() {
            let mut sum = 0.0;
            for at in rows.row(i) {
                sum += rows.values[at] * given[rows.columns[at] as usize];
            }
            *rank = everywhere + DAMPING * sum;
        }
    }
    rank
}
