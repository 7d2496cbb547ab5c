//! Given sparse tensors: what it costs to add entries to one, by a kernel and one by one, and masked products.
//!
//! `cargo bench -p sparse-bench --bench given -- [words]` prints the rows whose names contain the words: the seconds of the fastest of
//! alternating runs, and the ratio to the first. `given.py` in the same folder prints the masked products of GraphBLAS, on one
//! thread.

use sparse_bench::Random;
use std::hint::black_box;
use std::time::Instant;
use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparse_kernel;

type Rows = Csr<u32, u32>;

sparse_kernel! {
    fn add(a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] += a[i, j] }
    fn sum(a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], b: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn masked(m: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, k], b: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] = m[i, j] * a[i, k] * b[k, j] }
    fn guarded(m: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, k], b: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0 }
    fn pairs(m: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, k], b: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] = plus.pair(a[i, k], b[k, j]) if m[i, j] != 0 }
    fn outside(m: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, k], b: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0 }
}

/// A square matrix with about this many entries.
fn uniform(size: usize, count: usize, seed: u64) -> SparseTensor<Rows, f64> {
    let mut random = Random::new(seed);
    let entries: Vec<_> = (0..count)
        .map(|_| ([random.below(size), random.below(size)], 1.0 + random.unit()))
        .collect();
    SparseTensor::from_coo([size; 2], &entries, Duplicates::Sum).unwrap()
}

/// The lower triangle of a symmetric graph of 2^`scale` nodes whose degrees follow a power law, by R-MAT.
fn power_law(scale: u32, degree: usize) -> SparseTensor<Rows, f64> {
    let (mut random, size) = (Random::new(9), 1usize << scale);
    let edge = |_| {
        let (mut i, mut j) = (0, 0);
        for _ in 0..scale {
            let part = random.unit();
            let (down, right) = match part {
                part if part < 0.57 => (0, 0),
                part if part < 0.76 => (0, 1),
                part if part < 0.95 => (1, 0),
                _ => (1, 1),
            };
            (i, j) = (2 * i + down, 2 * j + right);
        }
        ([i.max(j), i.min(j)], 1.0)
    };
    let mut entries: Vec<([usize; 2], f64)> =
        (0..size * degree).map(edge).filter(|([i, j], _)| i != j).collect();
    entries.sort_by_key(|(index, _)| *index);
    entries.dedup_by_key(|(index, _)| *index);
    SparseTensor::from_coo([size; 2], &entries, Duplicates::Error).unwrap()
}

/// The name of a run, and the run.
type Run<'a> = (&'a str, Box<dyn FnMut() -> f64 + 'a>);

/// Prints the fastest of alternating runs, each of which returns the seconds that count.
fn rows(words: &[String], name: &str, mut runs: Vec<Run<'_>>) {
    if !words.iter().all(|word| name.contains(word.as_str())) {
        return;
    }
    let mut best = vec![f64::MAX; runs.len()];
    for _ in 0..5 {
        for (best, (_, run)) in best.iter_mut().zip(&mut runs) {
            *best = best.min(run());
        }
    }
    for (seconds, (run, _)) in best.iter().zip(&runs) {
        println!("| {name}: {run} | {seconds:.6} | {:.3} |", seconds / best[0]);
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

fn insertions(words: &[String]) {
    let n = uniform(1 << 18, 40 << 18, 1);
    let new = |k: usize| {
        let mut random = Random::new(k as u64);
        let entries = (0..k).map(|_| ([random.below(1 << 18), random.below(1 << 18)], 1.0));
        entries.collect::<Vec<_>>()
    };
    for k in [1, 1000, 100_000, 1_000_000] {
        let entries = new(k);
        let rebuilt = Box::new(|| timed(|| n.with_entries(&entries, Duplicates::Sum).unwrap()));
        let one_by_one = Box::new(|| {
            let mut tensor = n.clone();
            timed(|| {
                let mut insertions = tensor.insertions();
                entries.iter().for_each(|(index, value)| insertions.add(*index, *value).unwrap());
                insertions.finish().unwrap();
                tensor
            })
        });
        rows(
            words,
            &format!("insert {k} into 10M"),
            vec![("with_entries", rebuilt), ("one by one", one_by_one)],
        );
    }
}

fn accumulated(words: &[String]) {
    let (a, b) = (uniform(1 << 18, 20 << 18, 2), uniform(1 << 18, 20 << 18, 3));
    for (name, b) in [("5M to 5M others", &b), ("5M to the same 5M", &a)] {
        let anew = Box::new(|| timed(|| sum(&a, b).unwrap()));
        let given = Box::new(|| {
            let mut c = a.clone();
            timed(|| {
                add_into(b, &mut c).unwrap();
                c
            })
        });
        rows(words, &format!("add {name}"), vec![("c = a + b", anew), ("a += b", given)]);
    }
}

fn masks(words: &[String]) {
    let [a, b] = [5, 6].map(|seed| uniform(1 << 17, 1 << 21, seed));
    let l = power_law(17, 16);
    let uniform_masks = [13, 17, 19, 21, 23, 25].map(|scale| {
        let per_row = 2f64.powi(scale - 17);
        (format!("uniform, {per_row} a row"), uniform(1 << 17, 1 << scale, 4))
    });
    let products = uniform_masks.iter().map(|(name, m)| (name.as_str(), m, &a, &b));
    for (name, m, a, b) in products.chain([("power law", &l, &l, &l)]) {
        let runs: Vec<Run<'_>> = vec![
            ("m * a * b", Box::new(|| timed(|| masked(m, a, b).unwrap()))),
            ("if m != 0", Box::new(|| timed(|| guarded(m, a, b).unwrap()))),
            ("plus.pair if m != 0", Box::new(|| timed(|| pairs(m, a, b).unwrap()))),
            ("if m == 0", Box::new(|| timed(|| outside(m, a, b).unwrap()))),
        ];
        rows(words, &format!("masked {name}"), runs);
    }
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    println!("| | s | of the first |\n|---|---|---|");
    insertions(&words);
    accumulated(&words);
    masks(&words);
}
