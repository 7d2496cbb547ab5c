//! Triangle counting: for each edge, the neighbours that its two vertices share.

use crate::graph::{Csr, Graph, Rows};
use crate::{Outcome, Result, timed};
use indicatif::ProgressBar;
use std::cmp::Ordering;
use tensor_layout::sparse_kernel;

pub(crate) const STEPS: u64 = 2;

sparse_kernel! {
    /// The edges to vertices with smaller numbers, so that each triangle is found once.
    fn lower(a: Csr<f64>[i, j]) -> l: Csr<f64>[i, j] { l[i, j] = a[i, j] if j < i; parallel(i) }
    fn count(a: Csr<f64>[i, j], b: Csr<f64>[j, k], c: Csr<f64>[i, k]) -> s: f64 {
        s += a[i, j] * b[j, k] * c[i, k];
        parallel(i)
    }
}

pub(crate) fn run(graph: &Graph, bar: &ProgressBar) -> Result<Outcome> {
    bar.set_message("triangles");
    let (triangles, kernels) = timed(|| {
        let lower = lower(&graph.edges)?;
        bar.inc(1);
        Ok(count(&lower, &lower, &lower)?)
    })?;
    bar.inc(1);
    let (expected, plain) = timed(|| Ok(plain(&graph.rows(), graph.vertices())))?;
    let difference = (triangles - expected as f64).abs();
    let found = format!("{triangles} triangles");
    Ok(Outcome { name: "triangles", kernels, plain, found, difference, bound: 0.0 })
}

fn plain(rows: &Rows<'_>, vertices: usize) -> u64 {
    // Columns are in ascending order: those below the diagonal come first.
    let lower = |i: usize| {
        let row = &rows.columns[rows.row(i)];
        &row[..row.partition_point(|j| (*j as usize) < i)]
    };
    let mut count = 0;
    for i in 0..vertices {
        let own = lower(i);
        for j in own {
            let (mut own, mut other) = (own, lower(*j as usize));
            while let ([a, own_rest @ ..], [b, other_rest @ ..]) = (own, other) {
                match a.cmp(b) {
                    Ordering::Less => own = own_rest,
                    Ordering::Greater => other = other_rest,
                    Ordering::Equal => {
                        count += 1;
                        (own, other) = (own_rest, other_rest);
                    }
                }
            }
        }
    }
    count
}
