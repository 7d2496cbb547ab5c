//! Conjugate gradients: solves `l x = b`, where `l` is the Laplacian of the graph plus the identity matrix. The preconditioner
//! inverts the 4 x 4 blocks along the diagonal.

use crate::graph::{Csr, Graph, Random, Rows};
use crate::{Outcome, Result, timed};
use indicatif::ProgressBar;
use tensor_layout::sparse::{LevelParts, Parts, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

/// Rows and columns of a block.
const BLOCK: usize = 4;
/// The largest number of steps.
pub(crate) const STEPS: u64 = 200;
/// The length of the residual relative to the length of `b`, at which the solution is accepted.
const PRECISION: f64 = 1e-10;

sparse_encoding! {
    type Blocks = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense),
        posWidth = 32, crdWidth = 32;
}

sparse_kernel! {
    fn laplacian(a: Csr<f64>[i, j], d: Csr<f64>[i, j]) -> l: Csr<f64>[i, j] { l[i, j] = d[i, j] - a[i, j]; parallel(i) }
    fn times(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j]; parallel(i) }
    fn solve_blocks(m: Blocks<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = m[i, j] * x[j]; parallel(i) }
    fn dot(x: Dense<f64>[i], y: Dense<f64>[i]) -> s: f64 { s += x[i] * y[i]; parallel(i) }
    fn add(x: Dense<f64>[i], factor: f64) -> y: Dense<f64>[i] { y[i] += factor * x[i]; parallel(i) }
    fn next(z: Dense<f64>[i], p: Dense<f64>[i], factor: f64) -> q: Dense<f64>[i] { q[i] = z[i] + factor * p[i]; parallel(i) }
}

pub(crate) fn run(graph: &Graph, bar: &ProgressBar) -> Result<Outcome> {
    bar.set_message("conjugate gradients");
    let n = graph.vertices();
    let matrix = laplacian(&graph.edges, &diagonal(graph)?)?;
    let blocks = inverses(&Rows::of(&matrix), n)?;
    let mut random = Random(2);
    let solution: Vec<f64> = (0..n).map(|_| random.unit() - 0.5).collect();
    let b = plain_times(&Rows::of(&matrix), &solution);
    let ((x, steps), kernels) = timed(|| solve(&matrix, &blocks, &b, bar))?;
    let (_, plain) = timed(|| Ok(plain(&Rows::of(&matrix), blocks.values(), &b)))?;
    // No eigenvalue is less than 1, so the error of the solution is at most as long as the residual.
    let difference = length(x.iter().zip(&solution).map(|(x, exact)| x - exact));
    let bound = 2.0 * PRECISION * length(b.iter().copied());
    let found = format!("{steps} steps");
    Ok(Outcome { name: "conjugate gradients", kernels, plain, found, difference, bound })
}

/// The number of edges of each vertex, plus one.
fn diagonal(graph: &Graph) -> Result<SparseTensor<Csr, f64>> {
    let n = u32::try_from(graph.vertices())?;
    let rows = LevelParts { positions: (0..=n).collect(), coordinates: (0..n).collect() };
    let values = graph.degrees.iter().map(|degree| degree + 1.0).collect();
    let parts =
        Parts { shape: vec![n as usize; 2], levels: vec![LevelParts::default(), rows], values };
    Ok(SparseTensor::assemble(parts).map_err(|rejected| rejected.error)?)
}

/// The inverses of the blocks along the diagonal.
fn inverses(rows: &Rows<'_>, n: usize) -> Result<SparseTensor<Blocks, f64>> {
    let count = u32::try_from(n.div_ceil(BLOCK))?;
    let mut values = Vec::with_capacity(n.div_ceil(BLOCK) * BLOCK * BLOCK);
    for first in (0..n).step_by(BLOCK) {
        let mut block = [[0.0; BLOCK]; BLOCK];
        for (i, row) in block.iter_mut().enumerate() {
            // Past the last row the block is continued by the identity matrix, whose inverse is cut off below.
            let Some(_) = (first + i < n).then_some(()) else {
                row[i] = 1.0;
                continue;
            };
            for at in rows.row(first + i) {
                if let Some(value) = row.get_mut((rows.columns[at] as usize).wrapping_sub(first)) {
                    *value = rows.values[at];
                }
            }
        }
        let inverse = inverse(block);
        let inside = |i: usize, j: usize| first + i.max(j) < n;
        let all = (0..BLOCK).flat_map(|i| (0..BLOCK).map(move |j| (i, j)));
        values.extend(all.map(|(i, j)| if inside(i, j) { inverse[i][j] } else { 0.0 }));
    }
    let blocks = LevelParts { positions: (0..=count).collect(), coordinates: (0..count).collect() };
    let none = LevelParts::default;
    let levels = vec![none(), blocks, none(), none()];
    let parts = Parts { shape: vec![n; 2], levels, values };
    Ok(SparseTensor::assemble(parts).map_err(|rejected| rejected.error)?)
}

/// Gauss-Jordan elimination without pivoting, since the blocks are positive definite.
fn inverse(mut block: [[f64; BLOCK]; BLOCK]) -> [[f64; BLOCK]; BLOCK] {
    let mut inverse = [[0.0; BLOCK]; BLOCK];
    (0..BLOCK).for_each(|i| inverse[i][i] = 1.0);
    for at in 0..BLOCK {
        let pivot = 1.0 / block[at][at];
        for j in 0..BLOCK {
            block[at][j] *= pivot;
            inverse[at][j] *= pivot;
        }
        for i in (0..BLOCK).filter(|i| *i != at) {
            let factor = block[i][at];
            for j in 0..BLOCK {
                block[i][j] -= factor * block[at][j];
                inverse[i][j] -= factor * inverse[at][j];
            }
        }
    }
    inverse
}

/// The solution, and the number of steps.
fn solve(
    matrix: &SparseTensor<Csr, f64>,
    blocks: &SparseTensor<Blocks, f64>,
    b: &[f64],
    bar: &ProgressBar,
) -> Result<(Vec<f64>, u64)> {
    let n = b.len();
    let (mut x, mut r, mut z, mut q) = (vec![0.0; n], b.to_vec(), vec![0.0; n], vec![0.0; n]);
    solve_blocks_into(blocks, &r, &mut z)?;
    let (mut p, mut old) = (z.clone(), dot(&r, &z)?);
    let end = PRECISION * PRECISION * dot(b, b)?;
    for step in 0..STEPS {
        if dot(&r, &r)? <= end {
            return Ok((x, step));
        }
        times_into(matrix, &p, &mut q)?;
        let factor = old / dot(&p, &q)?;
        add_into(&p, factor, &mut x)?;
        add_into(&q, -factor, &mut r)?;
        solve_blocks_into(blocks, &r, &mut z)?;
        let new = dot(&r, &z)?;
        next_into(&z, &p, new / old, &mut q)?;
        std::mem::swap(&mut p, &mut q);
        old = new;
        bar.inc(1);
    }
    Err(format!("{STEPS} steps of conjugate gradients were not enough").into())
}

fn plain_times(rows: &Rows<'_>, x: &[f64]) -> Vec<f64> {
    let row = |i| rows.row(i).map(|at| rows.values[at] * x[rows.columns[at] as usize]).sum();
    (0..x.len()).map(row).collect()
}

fn plain_blocks(blocks: &[f64], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    let whole = blocks.chunks_exact(BLOCK * BLOCK).zip(x.chunks(BLOCK)).zip(y.chunks_mut(BLOCK));
    for ((block, x), y) in whole {
        for (row, y) in block.chunks_exact(BLOCK).zip(y) {
            *y = row.iter().zip(x).map(|(m, x)| m * x).sum();
        }
    }
    y
}

fn plain(matrix: &Rows<'_>, blocks: &[f64], b: &[f64]) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let (mut x, mut r) = (vec![0.0; b.len()], b.to_vec());
    let mut z = plain_blocks(blocks, &r);
    let (mut p, mut old) = (z.clone(), dot(&r, &z));
    let end = PRECISION * PRECISION * dot(b, b);
    for _ in 0..STEPS {
        if dot(&r, &r) <= end {
            break;
        }
        let q = plain_times(matrix, &p);
        let factor = old / dot(&p, &q);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += factor * p);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= factor * q);
        z = plain_blocks(blocks, &r);
        let new = dot(&r, &z);
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + new / old * *p);
        old = new;
    }
    x
}

fn length(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}
