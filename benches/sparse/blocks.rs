//! Products with matrices of dense blocks, compared with CSR of the same values and with the dense product of the whole matrix, in
//! one run: billions of operations per second, counted for stored values, and the ratios of times.
//!
//! `cargo bench -p sparse-bench --bench blocks -- [words]` prints the rows whose names contain the words.

#[path = "../harness/race.rs"]
mod race;

use race::Runner;
use sparse_bench::Random;
use std::hint::black_box;
use std::time::Duration;
use tensor_layout::half::bf16;
use tensor_layout::sparse::{Duplicates, Encoding, LevelParts, Parts, SparseElement, SparseTensor};
use tensor_layout::{Packed, matmul_into, sparse_encoding, sparse_kernel, tiled};

/// Rows and columns of the matrix.
const SIZE: usize = 2048;
/// The number of columns by which it is multiplied.
const K: usize = 256;

sparse_encoding! {
    pub(crate) type Csr = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
}
type Square = tiled!(f32[SIZE,SIZE]);
type Tall = tiled!(f32[SIZE,K]);
type HalfSquare = tiled!(bf16[SIZE,SIZE]);
type HalfTall = tiled!(bf16[SIZE,K]);

/// A block size with its encoding and kernels.
macro_rules! size {
    ($name:ident, $size:literal, $encoding:ident) => {
        mod $name {
            use super::*;
            sparse_encoding! {
                pub(crate) type $encoding = (i, j) -> (i floordiv $size : dense, j floordiv $size : compressed,
                    i mod $size : dense, j mod $size : dense), posWidth = 32, crdWidth = 32;
            }
            sparse_kernel! {
                fn spmm(a: $encoding<f32>[i, j], b: Dense<f32>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
                fn spmm_double(a: $encoding<f64>[i, j], b: Dense<f64>[j, k]) -> c: Dense<f64>[i, k] { c[i, k] = a[i, j] * b[j, k] }
                fn spmm_half(a: $encoding<bf16>[i, j], b: Dense<bf16>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
                fn spmv(a: $encoding<f32>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] = a[i, j] * x[j] }
                fn csr_spmm(a: Csr<f32>[i, j], b: Dense<f32>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
                fn csr_spmv(a: Csr<f32>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] = a[i, j] * x[j] }
            }

            pub(crate) fn run(words: &[String], percent: usize) {
                let a = blocks::<$encoding, f32>($size, percent, |x| x as f32);
                let double = blocks::<$encoding, f64>($size, percent, |x| x);
                let csr = a.convert::<Csr>().expect("memory");
                let dense = Square::pack(&a.to_dense().expect("memory")).expect("sized");
                let mut random = Random::new(5);
                let b: Vec<f32> = (0..SIZE * K).map(|_| random.unit() as f32).collect();
                let wide: Vec<f64> = b.iter().map(|x| (*x).into()).collect();
                let tall = Tall::pack(&b).expect("sized");
                let mut product = Packed::<Tall>::zeroed().expect("memory");
                let view = tensor_layout::sparsify::DenseRef::new([SIZE, K], &b).expect("sized");
                let doubled = tensor_layout::sparsify::DenseRef::new([SIZE, K], &wide).expect("sized");
                let mut c = spmm(&a, view).expect("sized");
                let mut c1 = csr_spmm(&csr, view).expect("sized");
                let mut c2 = spmm_double(&double, doubled).expect("sized");
                let flops = 2 * a.values().len();
                row(words, &format!("spmm {K} f32, blocks {}, {percent} %", $size), flops * K, vec![
                    ("blocks".into(), Box::new(|| spmm_into(black_box(&a), view, &mut c).unwrap())),
                    ("CSR".into(), Box::new(|| csr_spmm_into(black_box(&csr), view, &mut c1).unwrap())),
                    ("dense".into(), Box::new(|| matmul_into(black_box(&dense), black_box(&tall), &mut product))),
                    ("blocks f64".into(), Box::new(|| spmm_double_into(black_box(&double), doubled, &mut c2).unwrap())),
                ], 2 * SIZE * SIZE * K);
                let half = a.clone().cast::<bf16>();
                let halves: Vec<bf16> = b.iter().map(|x| bf16::from_f32(*x)).collect();
                let halved = tensor_layout::sparsify::DenseRef::new([SIZE, K], &halves).expect("sized");
                let dense = HalfSquare::pack(&half.to_dense().expect("memory")).expect("sized");
                let tall = HalfTall::pack(&halves).expect("sized");
                let mut c3 = spmm_half(&half, halved).expect("sized");
                row(words, &format!("spmm {K} bf16, blocks {}, {percent} %", $size), flops * K, vec![
                    ("blocks".into(), Box::new(|| spmm_half_into(black_box(&half), halved, &mut c3).unwrap())),
                    ("dense".into(), Box::new(|| matmul_into(black_box(&dense), black_box(&tall), &mut product))),
                ], 2 * SIZE * SIZE * K);
                let x = &b[..SIZE];
                let [mut y, mut y1] = [(); 2].map(|()| vec![0.0; SIZE]);
                row(words, &format!("spmv f32, blocks {}, {percent} %", $size), flops, vec![
                    ("blocks".into(), Box::new(|| spmv_into(black_box(&a), x, &mut y).unwrap())),
                    ("CSR".into(), Box::new(|| csr_spmv_into(black_box(&csr), x, &mut y1).unwrap())),
                ], 0);
            }
        }
    };
}

size!(b4, 4, Bsr4);
size!(b8, 8, Bsr8);
size!(b16, 16, Bsr16);
size!(b32, 32, Bsr32);
size!(b64, 64, Bsr64);
size!(b128, 128, Bsr128);

/// A matrix with some blocks stored, at random.
fn blocks<E, T: SparseElement>(
    size: usize,
    percent: usize,
    value: impl Fn(f64) -> T,
) -> SparseTensor<E, T>
where
    E: Encoding<Index = [usize; 2], Position = u32, Coordinate = u32>,
{
    let mut random = Random::new(3);
    let (mut positions, mut coordinates) = (vec![0], Vec::new());
    for _ in 0..SIZE / size {
        coordinates
            .extend((0..SIZE / size).filter(|_| random.below(100) < percent).map(|j| j as u32));
        positions.push(coordinates.len() as u32);
    }
    let values = random.values(coordinates.len() * size * size).into_iter().map(value).collect();
    let mut levels = vec![LevelParts::default(); 4];
    levels[1] = LevelParts { positions, coordinates };
    let parts = Parts { shape: vec![SIZE, SIZE], levels, values };
    SparseTensor::assemble(parts).unwrap_or_else(|_| unreachable!("rows are in order"))
}

sparse_encoding! {
    type TwoOfFour = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 8;
}
sparse_kernel! {
    fn pruned(a: TwoOfFour<f32>[i, j], b: Dense<f32>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
    fn pruned_half(a: TwoOfFour<bf16>[i, j], b: Dense<bf16>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
}

/// A matrix with two of each four elements of a row stored.
fn two_of_four(words: &[String]) {
    let mut random = Random::new(7);
    let mut entries = Vec::new();
    for (i, group) in (0..SIZE).flat_map(|i| (0..SIZE / 4).map(move |group| (i, group))) {
        let (first, second) = (random.below(4), random.below(3));
        let second = second + usize::from(second >= first);
        entries.extend([first, second].map(|j| ([i, group * 4 + j], random.unit() as f32)));
    }
    let a = SparseTensor::<TwoOfFour, f32>::from_coo([SIZE, SIZE], &entries, Duplicates::Error);
    let a = a.expect("two of four");
    let half = a.clone().cast::<bf16>();
    let b: Vec<f32> = (0..SIZE * K).map(|_| random.unit() as f32).collect();
    let halves: Vec<bf16> = b.iter().map(|x| bf16::from_f32(*x)).collect();
    let view = tensor_layout::sparsify::DenseRef::new([SIZE, K], &b).expect("sized");
    let halved = tensor_layout::sparsify::DenseRef::new([SIZE, K], &halves).expect("sized");
    let dense = Square::pack(&a.to_dense().expect("memory")).expect("sized");
    let tall = Tall::pack(&b).expect("sized");
    let half_dense = HalfSquare::pack(&half.to_dense().expect("memory")).expect("sized");
    let half_tall = HalfTall::pack(&halves).expect("sized");
    let mut product = Packed::<Tall>::zeroed().expect("memory");
    let mut c = pruned(&a, view).expect("sized");
    let flops = 2 * a.values().len() * K;
    row(
        words,
        &format!("spmm {K} f32, two of four"),
        flops,
        vec![
            ("two of four".into(), Box::new(|| pruned_into(black_box(&a), view, &mut c).unwrap())),
            (
                "dense".into(),
                Box::new(|| matmul_into(black_box(&dense), black_box(&tall), &mut product)),
            ),
        ],
        2 * SIZE * SIZE * K,
    );
    row(
        words,
        &format!("spmm {K} bf16, two of four"),
        flops,
        vec![
            (
                "two of four".into(),
                Box::new(|| pruned_half_into(black_box(&half), halved, &mut c).unwrap()),
            ),
            (
                "dense".into(),
                Box::new(|| {
                    matmul_into(black_box(&half_dense), black_box(&half_tall), &mut product)
                }),
            ),
        ],
        2 * SIZE * SIZE * K,
    );
}

fn row(words: &[String], name: &str, flops: usize, mut runners: Vec<Runner<'_>>, dense: usize) {
    if !words.iter().all(|word| name.contains(word.as_str())) {
        return;
    }
    let times = race::race(&mut runners, Duration::from_millis(800));
    print!("| {name}");
    for ((way, _), time) in runners.iter().zip(&times) {
        let flops = if way == "dense" { dense } else { flops };
        print!(" | {way} {:.1} G/s, {:.2}", flops as f64 / time, time / times[0]);
    }
    println!(" |");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    println!("The second number of each way is its time divided by that of the blocks.");
    for percent in [9, 25, 50] {
        b4::run(&words, percent);
        b8::run(&words, percent);
        b16::run(&words, percent);
        b32::run(&words, percent);
        b64::run(&words, percent);
        b128::run(&words, percent);
    }
    two_of_four(&words);
}
