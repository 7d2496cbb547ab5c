//! Two layers of a graph neural network, in which each vertex attends to its neighbours. For each layer the kernels compute
//!
//! ```text
//! h = x w                            the features of each vertex, mixed
//! e[i, j] = h[i] . h[j] / 4          how well neighbours fit together: sampled at the edges
//! p[i, j] = exp(e[i, j] - max e[i])  the numerators of the softmax of each row
//! y[i] = sum of p[i, j] h[j] / sum of p[i, j], or 0 where that is below 0
//! ```

use crate::graph::{Csr, Graph, Random, Rows};
use crate::{Outcome, Result, timed};
use indicatif::ProgressBar;
use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse_kernel;

/// The number of features of a vertex.
const WIDTH: usize = 16;
/// The reciprocal of the square root of [`WIDTH`].
const SCALE: f32 = 0.25;
const LAYERS: usize = 2;
/// The number of steps: two kernels for each layer.
pub(crate) const STEPS: u64 = 2 * LAYERS as u64;

type Features = Vec<[f32; WIDTH]>;
type Weights = [[f32; WIDTH]; WIDTH];

sparse_kernel! {
    fn mix(x: Dense<f32>[i, f], w: Dense<f32>[f, k]) -> h: Dense<f32>[i, k] { h[i, k] = x[i, f] * w[f, k]; parallel(i) }
    // One loop over the vertices. Only one row at a time exists of each computed array, except the output.
    fn attend(a: Csr<f32>[i, j], q: Dense<f32>[i, k], h: Dense<f32>[j, k], scale: f32) -> z: Dense<f32>[i, k] {
        let e: Csr<f32>[i, j] = a[i, j] * q[i, k] * h[j, k] * scale; parallel(i);
        let most[i] max= e[i, j]; parallel(i);
        let p: Csr<f32>[i, j] = stored(e[i, j]) * exp(e[i, j] - most[i]); parallel(i);
        let sum[i] = p[i, j]; parallel(i);
        let y[i, k] = p[i, j] * h[j, k]; parallel(i);
        z[i, k] = select(sum[i], max(y[i, k] / sum[i], 0), 0); parallel(i)
    }
}

pub(crate) fn run(graph: &Graph, bar: &ProgressBar) -> Result<Outcome> {
    bar.set_message("attention");
    let mut random = Random(3);
    let mut row = || std::array::from_fn(|_| random.unit() as f32 - 0.5);
    let weights: [Weights; LAYERS] = std::array::from_fn(|_| std::array::from_fn(|_| row()));
    let features: Features = (0..graph.vertices()).map(|_| row()).collect();
    let edges = graph.edges.clone().cast::<f32>();
    let (found, kernels) =
        timed(|| weights.iter().try_fold(features.clone(), |x, w| layer(&edges, &x, w, bar)))?;
    let rows = graph.rows();
    let (expected, plain) =
        timed(|| Ok(weights.iter().fold(features.clone(), |x, w| plain_layer(&rows, &x, w))))?;
    let pairs = found.as_flattened().iter().zip(expected.as_flattened());
    let differences = pairs.map(|(x, y)| f64::from(x - y).abs());
    // A NaN is not less than another difference, and none is greater.
    let difference =
        differences.fold(0.0, |far: f64, x| if x > far || x.is_nan() { x } else { far });
    // Averages of features less than 1, rounded once for each edge and each feature.
    let most = graph.degrees.iter().fold(0.0, |most: f64, degree| most.max(*degree));
    let bound = f64::from(f32::EPSILON) * (most.sqrt() + WIDTH as f64) * 16.0;
    let mean = expected.as_flattened().iter().map(|x| f64::from(*x)).sum::<f64>()
        / expected.as_flattened().len().max(1) as f64;
    let found = format!("a mean of {mean:.4}");
    Ok(Outcome { name: "two layers of attention", kernels, plain, found, difference, bound })
}

fn layer(
    edges: &SparseTensor<Csr, f32>,
    x: &Features,
    w: &Weights,
    bar: &ProgressBar,
) -> Result<Features> {
    let n = x.len();
    let [mut h, mut z] = [(); 2].map(|()| vec![[0.0; WIDTH]; n]);
    mix_into(x, &w[..], &mut h)?;
    bar.inc(1);
    attend_into(edges, &h, &h, SCALE, &mut z)?;
    bar.inc(1);
    Ok(z)
}

fn plain_layer(rows: &Rows<'_>, x: &Features, w: &Weights) -> Features {
    let mut h = vec![[0.0; WIDTH]; x.len()];
    for (x, h) in x.iter().zip(&mut h) {
        for (x, w) in x.iter().zip(w) {
            h.iter_mut().zip(w).for_each(|(h, w)| *h += x * w);
        }
    }
    let mut fits: Vec<f32> = Vec::new();
    let vertex = |i: usize| {
        let neighbours = || rows.row(i).map(|at| &h[rows.columns[at] as usize]);
        fits.clear();
        fits.extend(
            neighbours()
                .map(|other| h[i].iter().zip(other).map(|(q, k)| q * k).sum::<f32>() * SCALE),
        );
        let most = fits.iter().fold(f32::NEG_INFINITY, |most, fit| most.max(*fit));
        let (mut sum, mut y) = (0.0, [0.0; WIDTH]);
        for (other, fit) in neighbours().zip(&fits) {
            let part = (fit - most).exp();
            sum += part;
            y.iter_mut().zip(other).for_each(|(y, h)| *y += part * h);
        }
        y.map(|y| if sum == 0.0 { 0.0 } else { (y / sum).max(0.0) })
    };
    (0..x.len()).map(vertex).collect()
}
