//! Times of the products of the layer, and of the same products in f32 by `faer`, on one thread.

use super::{
    Acts, HEAD, HEADS, HeadColumns, HeadSums, Layer, Result, Rounded, Scores, SharesOf, WIDTH,
};
use faer::linalg::matmul::matmul as faer_matmul;
use faer::{Accum, Mat, Par};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::half::bf16;
use tensor_layout::{Packed, matmul_into};

const RUNS: usize = 500;

/// Prints both times for `T` new tokens, with the caches of the layer.
pub(crate) fn compare<const T: usize>(layer: &Layer) -> Result<()> {
    let mut ours = Ours::<T>::new(layer)?;
    let mut theirs = Theirs::new(T, layer.caches[0][0].len(0));
    let [mut best, mut best_of_faer] = [Duration::MAX; 2];
    for _ in 0..RUNS {
        let start = Instant::now();
        ours.multiply(black_box(layer));
        best = best.min(start.elapsed());
        let start = Instant::now();
        black_box(&mut theirs).multiply();
        best_of_faer = best_of_faer.min(start.elapsed());
    }
    println!(
        "products for {T:>2} tokens:      {best:.1?}; by faer, in f32, {best_of_faer:.1?}: {:.2} times as long",
        best_of_faer.as_secs_f64() / best.as_secs_f64()
    );
    Ok(())
}

/// Operands and results in the layouts of the layer.
struct Ours<const T: usize> {
    tokens: Packed<Rounded<T>>,
    queries: Packed<HeadColumns<T>>,
    shares: Packed<SharesOf<T>>,
    projected: Packed<Acts<T>>,
    scores: Packed<Scores<T>>,
    sums: Packed<HeadSums<T>>,
}

impl<const T: usize> Ours<T> {
    fn new(layer: &Layer) -> Result<Self> {
        let length = layer.caches[0][0].len(0);
        let mut shares = Packed::<SharesOf<T>>::with_sizes([T, length])?;
        shares.map_in_place(|_| bf16::ONE);
        Ok(Self {
            tokens: Packed::filled(bf16::ONE),
            queries: Packed::filled(bf16::ONE),
            shares,
            projected: Packed::zeroed()?,
            scores: Packed::with_sizes([length, T])?,
            sums: Packed::zeroed()?,
        })
    }

    fn multiply(&mut self, layer: &Layer) {
        for weights in [&layer.queries, &layer.keys, &layer.values, &layer.outputs] {
            matmul_into(&self.tokens, weights, &mut self.projected);
        }
        for [keys, values] in &layer.caches {
            matmul_into(keys, &self.queries, &mut self.scores);
            matmul_into(&self.shares, values, &mut self.sums);
        }
    }
}

/// Operands and results of `faer`, column-major.
struct Theirs {
    tokens: Mat<f32>,
    weights: [Mat<f32>; 4],
    queries: Mat<f32>,
    shares: Mat<f32>,
    caches: [[Mat<f32>; 2]; HEADS],
    projected: Mat<f32>,
    scores: Mat<f32>,
    sums: Mat<f32>,
}

impl Theirs {
    fn new(tokens: usize, length: usize) -> Self {
        let ones = |rows, columns| Mat::from_fn(rows, columns, |_, _| 1.0);
        Self {
            tokens: ones(tokens, WIDTH),
            weights: [(); 4].map(|()| ones(WIDTH, WIDTH)),
            queries: ones(HEAD, tokens),
            shares: ones(tokens, length),
            caches: [(); HEADS].map(|()| [(); 2].map(|()| ones(length, HEAD))),
            projected: ones(tokens, WIDTH),
            scores: ones(length, tokens),
            sums: ones(tokens, HEAD),
        }
    }

    fn multiply(&mut self) {
        let product = |a: &Mat<f32>, b: &Mat<f32>, c: &mut Mat<f32>| {
            faer_matmul(c, Accum::Replace, a, b, 1.0, Par::Seq);
        };
        for weights in &self.weights {
            product(&self.tokens, weights, &mut self.projected);
        }
        for [keys, values] in &self.caches {
            product(keys, &self.queries, &mut self.scores);
            product(&self.shares, values, &mut self.sums);
        }
    }
}
