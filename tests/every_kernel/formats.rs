//! Every level format in every position in which a kernel can have it: in each operand of common products, sums and masks, and in
//! the output.

use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::{Dense, KernelError};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type DeltaCsr = (i, j) -> (i : dense, j : delta[2]);
    type DeltaColumns = (i, j) -> (j : dense, i : delta[1]);
    type DoublyDelta = (i, j) -> (i : delta[1], j : delta[3]);
    type DeltaRows = (i, j) -> (i : delta[2], j : dense);
    type CompressedDelta = (i, j) -> (i : compressed, j : delta[4]);
    type DeltaCompressed = (i, j) -> (i : delta[2], j : compressed);
    type DeltaBlocks = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : delta[2], i mod 2 : dense, j mod 2 : dense);
    type Loose = (i, j) -> (i : dense, j : loose_compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type CooSoa = (i, j) -> (i : compressed(nonunique), j : singleton(soa));
    type Unordered = (i, j) -> (i : compressed(nonordered), j : compressed(nonordered));
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type TwoOfFour = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]);
    type Diagonals = (i, j) -> (j - i : compressed, i : range);
    type Ell = [c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed);
    type Batches = (i, j) -> (i : batch, j : compressed);
    type BatchedDelta = (i, j) -> (i : batch, j : delta[2]);
    type Line = (i, j) -> (i * 16 + j : compressed);
    type Full = (i, j) -> (i : dense, j : dense);
}

const ROWS: usize = 6;
const INNER: usize = 6;
const COLUMNS: usize = 6;

/// A matrix with at most two entries in four columns, and no two entries of a row far apart.
fn entries(rows: usize, columns: usize, seed: usize) -> Vec<([usize; 2], f64)> {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    let kept = all.filter(|[i, j]| (i * 5 + j * 3 + seed).is_multiple_of(2) && (i + seed) % 4 != 3);
    kept.map(|[i, j]| ([i, j], (i * 7 + j * 3 + seed) as f64 - 20.0)).collect()
}

fn sparse<E: Encoding<Index = [usize; 2]>>(entries: &[([usize; 2], f64)]) -> SparseTensor<E, f64> {
    SparseTensor::from_coo([ROWS, COLUMNS], entries, Duplicates::Error).expect("it can be stored")
}

fn dense(entries: &[([usize; 2], f64)]) -> Dense<f64, 2> {
    let mut dense = Dense::filled([ROWS, COLUMNS], 0.0).expect("memory");
    entries.iter().for_each(|(index, value)| dense[*index] = *value);
    dense
}

/// The meaning of a statement, by loops over all indices.
fn looped(value: impl Fn(usize, usize, usize) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; ROWS * COLUMNS];
    for (i, j, k) in (0..ROWS * COLUMNS * INNER)
        .map(|at| (at / COLUMNS / INNER, at / INNER % COLUMNS, at % INNER))
    {
        values[i * COLUMNS + j] += value(i, j, k);
    }
    values
}

fn full<E: Encoding<Index = [usize; 2]>>(
    tensor: Result<SparseTensor<E, f64>, KernelError>,
) -> Vec<f64> {
    let tensor = tensor.expect("an output");
    SparseTensor::<E, f64>::assemble(tensor.clone().disassemble()).expect("a valid tensor");
    tensor.to_dense().expect("memory")
}

macro_rules! every_position {
    ($($test:ident $Enc:ident;)*) => { $(
        #[test]
        fn $test() {
            sparse_kernel! {
                fn spmv(a: $Enc<f64>[i, k], x: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] += a[i, k] * x[k] }
                fn spmv_t(a: $Enc<f64>[k, i], x: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] += a[k, i] * x[k] }
                fn spmm(a: $Enc<f64>[i, k], x: Dense<f64>[k, j]) -> y: Dense<f64>[i, j] { y[i, j] = a[i, k] * x[k, j] }
                fn spmm_t(a: $Enc<f64>[k, i], x: Dense<f64>[k, j]) -> y: Dense<f64>[i, j] { y[i, j] = a[k, i] * x[k, j] }
                fn spmm_right(x: Dense<f64>[i, k], a: $Enc<f64>[k, j]) -> y: Dense<f64>[i, j] { y[i, j] = x[i, k] * a[k, j] }
                fn spgemm(a: $Enc<f64>[i, k], b: $Enc<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
                fn spgemm_left(a: $Enc<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
                fn spgemm_right(a: Csr<f64>[i, k], b: $Enc<f64>[k, j]) -> c: Dense<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
                fn inner(a: $Enc<f64>[i, k], b: $Enc<f64>[j, k]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[j, k] }
                fn sum(a: $Enc<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
                fn both(a: $Enc<f64>[i, j], b: $Enc<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] - b[i, j] }
                fn product(a: Csr<f64>[i, j], b: $Enc<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] * b[i, j] }
                fn sampled(a: $Enc<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] * u[i, k] * v[k, j] }
                fn masked(a: $Enc<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: $Enc<f64>[i, j] { c[i, j] = a[i, j] * u[i, k] * v[k, j] }
                fn shifted(a: $Enc<f64>[m, j]) -> c: Dense<f64>[i, j] { c[i, j] = a[i + 1, j]; size(i, 6) }
                fn stored(a: Csr<f64>[i, j]) -> c: $Enc<f64>[i, j] { c[i, j] = 2 * a[i, j] }
                fn turned(a: $Enc<f64>[i, j]) -> c: $Enc<f64>[j, i] { c[j, i] = a[i, j] }
                fn total(a: $Enc<f64>[i, j]) -> s: f64 { s += a[i, j] }
                fn diagonal(a: $Enc<f64>[i, i]) -> d: Dense<f64>[i] { d[i] = a[i, i] }
            }
            let (p, q) = (entries(ROWS, COLUMNS, 0), entries(ROWS, COLUMNS, 1));
            let (a, b) = (sparse::<$Enc>(&p), sparse::<$Enc>(&q));
            let (c, d) = (dense(&p), dense(&q));
            let (s, t) = (sparse::<Csr>(&p), sparse::<Csr>(&q));
            let x: Vec<f64> = (0..INNER).map(|k| k as f64 - 2.5).collect();
            let row = |values: Vec<f64>| values.chunks(COLUMNS).map(|row| row[0]).collect::<Vec<_>>();
            assert_eq!(spmv(&a, &x).expect("y").values(), row(looped(|i, _, k| c[[i, k]] * x[k])), "spmv");
            assert_eq!(spmv_t(&a, &x).expect("y").values(), row(looped(|i, _, k| c[[k, i]] * x[k])), "spmv_t");
            let cd = looped(|i, j, k| c[[i, k]] * d[[k, j]]);
            assert_eq!(spmm(&a, &d).expect("y").values(), cd, "spmm");
            assert_eq!(spmm_right(&c, &b).expect("y").values(), cd, "spmm_right");
            assert_eq!(spmm_t(&a, &d).expect("y").values(), looped(|i, j, k| c[[k, i]] * d[[k, j]]), "spmm_t");
            assert_eq!(full(spgemm(&a, &b)), cd, "spgemm");
            assert_eq!(full(spgemm_left(&a, &t)), cd, "spgemm_left");
            assert_eq!(spgemm_right(&s, &b).expect("c").values(), cd, "spgemm_right");
            assert_eq!(full(inner(&a, &b)), looped(|i, j, k| c[[i, k]] * d[[j, k]]), "inner");
            let once = |value: &dyn Fn(usize, usize) -> f64| looped(|i, j, k| if k == 0 { value(i, j) } else { 0.0 });
            assert_eq!(full(sum(&a, &t)), once(&|i, j| c[[i, j]] + d[[i, j]]), "sum");
            assert_eq!(full(both(&a, &b)), once(&|i, j| c[[i, j]] - d[[i, j]]), "both");
            assert_eq!(full(product(&s, &b)), once(&|i, j| c[[i, j]] * d[[i, j]]), "product");
            let mask = looped(|i, j, k| c[[i, j]] * c[[i, k]] * d[[k, j]]);
            assert_eq!(full(sampled(&a, &c, &d)), mask, "sampled");
            assert_eq!(full(masked(&a, &c, &d)), mask, "masked");
            assert_eq!(shifted(&a).expect("c").values(), once(&|i, j| if i + 1 < ROWS { c[[i + 1, j]] } else { 0.0 }), "shifted");
            assert_eq!(full(stored(&s)), once(&|i, j| 2.0 * c[[i, j]]), "stored");
            // Two of four columns are more than some encodings can store.
            match turned(&a) {
                Err(KernelError::Build(_)) => {}
                turned => assert_eq!(full(turned), once(&|i, j| c[[j, i]]), "turned"),
            }
            assert_eq!(total(&a).expect("s"), p.iter().map(|(_, value)| value).sum::<f64>(), "total");
            assert_eq!(diagonal(&a).expect("d").values(), row(looped(|i, _, k| if i == k { c[[i, i]] } else { 0.0 })), "diagonal");
        }
    )* };
}

every_position! {
    compressed Csr;
    delta DeltaCsr;
    delta_of_columns DeltaColumns;
    delta_below_delta DoublyDelta;
    delta_above_dense DeltaRows;
    delta_below_compressed CompressedDelta;
    delta_above_compressed DeltaCompressed;
    delta_of_blocks DeltaBlocks;
    loose_compressed Loose;
    coordinates Coo;
    coordinates_apart CooSoa;
    unordered Unordered;
    blocks Bsr;
    two_of_four TwoOfFour;
    diagonals Diagonals;
    slots Ell;
    batches Batches;
    delta_in_batches BatchedDelta;
    one_line Line;
    dense_levels Full;
}
