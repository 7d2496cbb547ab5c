//! Products with packed arrays, compared with the same products of row-major arrays, in one run: the time of each as a multiple of
//! the time with row-major arrays.
//!
//! `cargo bench -p sparse-bench --bench packed -- [words]` prints the rows whose names contain the words.

#[path = "../harness/race.rs"]
mod race;

use race::Runner;
use sparse_bench::{Matrix, Random};
use std::hint::black_box;
use std::time::Duration;
use tensor_layout::half::bf16;
use tensor_layout::sparse::{LevelParts, Parts, SparseTensor};
use tensor_layout::sparsify::{Dense, DenseRef};
use tensor_layout::{Packed, sparse_encoding, sparse_kernel, tiled, tpu};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    type Bsr = (i, j) -> (i floordiv 16 : dense, j floordiv 16 : compressed, i mod 16 : dense, j mod 16 : dense),
        posWidth = 32, crdWidth = 32;
}

/// Kernels for a number of rows and columns of `x`.
macro_rules! size {
    ($name:ident, $rows:literal, $columns:literal) => {
        mod $name {
            use super::*;
            const J: usize = $rows;
            const K: usize = $columns;
            type Tiles = tiled!(f32[J,K]{1,0:T(8,128)});
            type Pairs = tpu!(bf16[J,K]);

            sparse_kernel! {
                fn dense(a: Csr<f32>[i, j], x: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn tiles(a: Csr<f32>[i, j], x: Packed<Tiles>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn output(a: Csr<f32>[i, j], x: Packed<Tiles>[j, k]) -> y: Packed<Tiles>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn dense_halves(a: Csr<f32>[i, j], x: Dense<bf16>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn pairs(a: Csr<f32>[i, j], x: Packed<Pairs>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn blocks(a: Bsr<f32>[i, j], x: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn block_tiles(a: Bsr<f32>[i, j], x: Packed<Tiles>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn spmv(a: Csr<f32>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] = a[i, j] * x[j] }
                fn spmv_tiles(a: Csr<f32>[i, j], x: Packed<tpu!(f32[J])>[j]) -> y: Dense<f32>[i] { y[i] = a[i, j] * x[j] }
            }

            pub(crate) fn run(words: &[String], per_row: usize) {
                let mut random = Random::new(3);
                let columns = |_| (0..per_row).map(|_| random.below(J) as u32).collect();
                let a = matrix(&Matrix::from_rows(J, J, columns));
                let mut random = Random::new(5);
                let x: Vec<f32> = (0..J * K).map(|_| random.unit() as f32).collect();
                let halves: Vec<bf16> = x.iter().map(|x| bf16::from_f32(*x)).collect();
                let view = DenseRef::new([J, K], &x).expect("sized");
                let halves_view = DenseRef::new([J, K], &halves).expect("sized");
                let packed = Tiles::pack(&x).expect("sized");
                let packed_halves = Pairs::pack(&halves).expect("sized");
                let [mut y, mut y1, mut y2, mut y3] = [(); 4].map(|()| Dense::filled([J, K], 0.0f32).expect("memory"));
                let mut y4 = Packed::<Tiles>::zeroed().expect("memory");
                let name = format!("{J} x {K}, {per_row} a row");
                row(words, &format!("f32 {name}"), vec![
                    ("row-major".into(), Box::new(|| dense_into(black_box(&a), view, &mut y).expect("sized"))),
                    ("T(8,128)".into(), Box::new(|| tiles_into(black_box(&a), &packed, &mut y1).expect("sized"))),
                    ("output too".into(), Box::new(|| output_into(black_box(&a), &packed, &mut y4).expect("sized"))),
                ]);
                row(words, &format!("bf16 {name}"), vec![
                    ("row-major".into(), Box::new(|| dense_halves_into(black_box(&a), halves_view, &mut y2).expect("sized"))),
                    ("T(8,128)(2,1)".into(), Box::new(|| pairs_into(black_box(&a), &packed_halves, &mut y3).expect("sized"))),
                ]);
                let vector = <tpu!(f32[J])>::pack(&x[..J]).expect("sized");
                let [mut z, mut z1] = [(); 2].map(|()| vec![0.0; J]);
                row(words, &format!("f32 vector, {per_row} a row"), vec![
                    ("row-major".into(), Box::new(|| spmv_into(black_box(&a), &x[..J], &mut z).expect("sized"))),
                    ("packed".into(), Box::new(|| spmv_tiles_into(black_box(&a), &vector, &mut z1).expect("sized"))),
                ]);
                let b = a.convert::<Bsr>().expect("memory");
                row(words, &format!("f32 blocks {name}"), vec![
                    ("row-major".into(), Box::new(|| blocks_into(black_box(&b), view, &mut y).expect("sized"))),
                    ("T(8,128)".into(), Box::new(|| block_tiles_into(black_box(&b), &packed, &mut y1).expect("sized"))),
                ]);
            }
        }
    };
}

size!(narrow, 8192, 32);
size!(wide, 8192, 128);
size!(long, 131_072, 32);
size!(large, 65_536, 128);

fn matrix(a: &Matrix) -> SparseTensor<Csr, f32> {
    let rows = LevelParts { positions: a.positions.clone(), coordinates: a.coordinates.clone() };
    let levels = vec![LevelParts::default(), rows];
    let values = a.values.iter().map(|value| *value as f32).collect();
    let parts = Parts { shape: vec![a.rows, a.columns], levels, values };
    SparseTensor::assemble(parts).unwrap_or_else(|_| unreachable!("rows are in order"))
}

fn row(words: &[String], name: &str, mut runners: Vec<Runner<'_>>) {
    if !words.iter().all(|word| name.contains(word.as_str())) {
        return;
    }
    let times = race::race(&mut runners, Duration::from_millis(800));
    print!("| {name}");
    for ((way, _), time) in runners.iter().zip(&times) {
        print!(" | {way} {:.2}", time / times[0]);
    }
    println!(" |");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    for per_row in [4, 16] {
        narrow::run(&words, per_row);
        wide::run(&words, per_row);
        long::run(&words, per_row);
        large::run(&words, per_row);
    }
}
