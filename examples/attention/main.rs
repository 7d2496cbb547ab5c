//! A layer of multi-head attention with a cache of keys and values, with arrays that are packed as on a TPU.
//!
//! ```sh
//! cargo run --release --example attention
//! ```
//!
//! The layer first processes a prompt of 24 tokens at once, with a causal mask, and then one token at a time, as when a model
//! generates text; each token attends to all tokens before it. Weights, keys and values are bf16 and sums are f32, in the
//! layouts that the TPU compiler chooses. The storage of the caches has room for 128 tokens (`<=CACHE`), and their length is the
//! number of tokens so far: they grow in place, without a new type and without a copy.
//!
//! Plain loops over row-major arrays compute the same result in f64, without a cache. The program fails if the two differ by more
//! than the rounding to bf16 explains.
//!
//! With `--features faer`, it also prints how long the products of the layer take, and the same products in f32 by `faer`.

#[cfg(feature = "faer")]
mod peer;
mod reference;

use std::time::{Duration, Instant};
use tensor_layout::half::bf16;
use tensor_layout::{Packed, Product, matmul, tiled, tpu};

/// The number of features of a token.
const WIDTH: usize = 256;
const HEADS: usize = 4;
const HEAD: usize = WIDTH / HEADS;
/// The largest number of tokens in the caches.
const CACHE: usize = 128;
const PROMPT: usize = 24;
const WRITTEN: usize = 60;
const EPSILON: f64 = 1e-6;
/// The largest difference, relative to the largest output: keys, values and weights have 8 significant bits.
const TOLERANCE: f64 = 0.01;

type Result<T> = std::result::Result<T, tensor_layout::PackError>;

type Weights = tpu!(bf16[WIDTH, WIDTH]);
/// The features of `T` tokens.
type Acts<const T: usize> = tiled!(f32[T, WIDTH]{1,0:T(8,128)});
type Rounded<const T: usize> = tiled!(bf16[T, WIDTH]{1,0:T(8,128)(2,1)});
/// The features of `T` tokens for one head.
type Head<const T: usize> = tiled!(bf16[T, HEAD]{1,0:T(8,128)(2,1)});
type HeadColumns<const T: usize> = tiled!(bf16[HEAD, T]{1,0:T(8,128)(2,1)});
type HeadSums<const T: usize> = tiled!(f32[T, HEAD]{1,0:T(8,128)});
/// The keys or values of all tokens so far, one row for each token.
type Cache = tiled!(bf16[<=CACHE, HEAD]{1,0:T(8,128)(2,1)});
/// How much each new token (a column) attends to each token so far (a row).
type Scores<const T: usize> = tiled!(f32[<=CACHE, T]{1,0:T(8,128)});
type Shares<const T: usize> = tiled!(bf16[<=CACHE, T]{1,0:T(8,128)(2,1)});
type SharesOf<const T: usize> = tiled!(bf16[T, <=CACHE]{1,0:T(8,128)(2,1)});

/// The layer: its weights and its caches.
struct Layer {
    scale: Vec<f32>,
    queries: Packed<Weights>,
    keys: Packed<Weights>,
    values: Packed<Weights>,
    outputs: Packed<Weights>,
    /// Keys and values of each head.
    caches: Vec<[Packed<Cache>; 2]>,
}

impl Layer {
    fn new(parts: &reference::Weights) -> Result<Self> {
        let pack = |matrix: &[f64]| {
            Packed::<Weights>::from_fn(|[i, j]| bf16::from_f64(matrix[i * WIDTH + j]))
        };
        let [queries, keys, values, outputs] = parts.matrices.each_ref().map(|matrix| pack(matrix));
        let empty = || Packed::<Cache>::with_sizes([0, HEAD]);
        Ok(Self {
            scale: parts.scale.iter().map(|x| *x as f32).collect(),
            queries,
            keys,
            values,
            outputs,
            caches: (0..HEADS).map(|_| Ok([empty()?, empty()?])).collect::<Result<_>>()?,
        })
    }

    /// The output of the layer for the next `T` tokens.
    fn forward<const T: usize>(&mut self, tokens: &Packed<Acts<T>>) -> Result<Packed<Acts<T>>> {
        let normal = tokens.rms_norm(1, &self.scale, EPSILON).convert::<Rounded<T>>(bf16::from_f32);
        let project = |weights: &Packed<Weights>| -> Packed<Rounded<T>> {
            let sums: Packed<Acts<T>> = matmul(&normal, weights);
            sums.convert(bf16::from_f32)
        };
        let [queries, keys, values] = [&self.queries, &self.keys, &self.values].map(project);
        let mut heads = Packed::<Rounded<T>>::zeroed()?;
        for (head, [key_cache, value_cache]) in self.caches.iter_mut().enumerate() {
            let at = [0, head * HEAD];
            let before = key_cache.len(0);
            key_cache.append_rows(&keys.slice::<Head<T>>(at))?;
            value_cache.append_rows(&values.slice::<Head<T>>(at))?;

            let queries = queries.slice::<Head<T>>(at).transpose::<HeadColumns<T>>();
            let scores = Product::of(&*key_cache, &queries).scale(1.0 / (HEAD as f32).sqrt());
            let mut scores = scores.packed::<Scores<T>>();
            // A token does not attend to later ones.
            for ahead in 1..T {
                for column in 0..T - ahead {
                    scores.set([before + column + ahead, column], f32::NEG_INFINITY)?;
                }
            }
            scores.softmax_in_place(0);
            let shares = scores.convert::<Shares<T>>(bf16::from_f32).transpose::<SharesOf<T>>();

            // Sums over the tokens so far.
            let sums: Packed<HeadSums<T>> = matmul(&shares, &*value_cache);
            heads.update_slice(at, &sums.convert::<Head<T>>(bf16::from_f32))?;
        }
        let outputs: Packed<Acts<T>> = matmul(&heads, &self.outputs);
        Ok(outputs + tokens)
    }
}

/// The largest difference from the reference, relative to the reference's largest value.
fn difference(ours: &[f32], exact: &[f64]) -> f64 {
    assert_eq!(ours.len(), exact.len());
    let largest = exact.iter().fold(0.0, |max, x| f64::max(max, x.abs()));
    let differences = ours.iter().zip(exact).map(|(a, b)| (f64::from(*a) - b).abs());
    // A NaN counts as a difference.
    differences.fold(0.0, |max: f64, x| if x > max || x.is_nan() { x } else { max }) / largest
}

fn main() -> Result<()> {
    let weights = reference::Weights::random();
    let tokens = reference::tokens();
    let start = Instant::now();
    let exact = weights.forward(&tokens);
    let reference = start.elapsed();

    let mut layer = Layer::new(&weights)?;
    let rounded: Vec<f32> = tokens.iter().map(|x| *x as f32).collect();
    let (prompt, written) = rounded.split_at(PROMPT * WIDTH);

    let start = Instant::now();
    let prompt = layer.forward(&Packed::<Acts<PROMPT>>::from_fn(|[i, j]| prompt[i * WIDTH + j]))?;
    let first = start.elapsed();
    let mut ours = prompt.unpack();
    let mut fastest = Duration::MAX;
    for token in written.chunks(WIDTH) {
        let start = Instant::now();
        let output = layer.forward(&Packed::<Acts<1>>::from_fn(|[_, j]| token[j]))?;
        fastest = fastest.min(start.elapsed());
        ours.extend(output.unpack());
    }

    let cached = layer.caches[0][0].dims();
    assert_eq!(cached, [PROMPT + WRITTEN, HEAD]);
    println!("{HEADS} heads of {HEAD}; caches hold {} of {CACHE} tokens", cached[0]);
    println!("prompt of {PROMPT} tokens at once: {first:.1?}");
    println!("{WRITTEN} tokens one by one:       {fastest:.1?} for the fastest");
    println!("plain loops in f64:          {reference:.1?} for all");
    let difference = difference(&ours, &exact);
    println!("largest difference:          {:.2} % of the largest output", 100.0 * difference);
    #[cfg(feature = "faer")]
    {
        peer::compare::<PROMPT>(&layer)?;
        peer::compare::<1>(&layer)?;
    }
    println!(
        "\nNext: a whole language model on such layers, `cargo run --release -p llm`, and its README."
    );
    assert!(difference < TOLERANCE, "the outputs differ by {difference} of the largest");
    Ok(())
}
