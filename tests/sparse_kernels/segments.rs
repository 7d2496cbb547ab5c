//! Results that grow row by row: sums of two operands that are traversed together, and products that are scattered first.

use tensor_layout::sparse::{Duplicates, Encoding, SparseElement, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
    type Vector = (i) -> (i : compressed);
    type Narrow = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16;
}

sparse_kernel! {
    fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn subtract(a: Csr<f64>[i, j], b: Narrow<f64>[i, j]) -> c: Dcsr<f64>[i, j] { c[i, j] = 2 * a[i, j] - b[i, j] * b[i, j] }
    fn add_rows(a: Dcsr<f64>[i, j], b: Dcsr<f64>[i, j]) -> c: Dcsr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn add_columns(a: Csc<f64>[i, j], b: Csc<f64>[i, j]) -> c: Csc<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn add_vectors(a: Vector<f64>[i], b: Vector<f64>[i]) -> c: Vector<f64>[i] { c[i] = a[i] + b[i] }
    fn add_whole(a: Csr<i32>[i, j], b: Csr<i32>[i, j]) -> c: Csr<i32>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn multiply(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
    fn multiply_narrow(a: Csr<f64>[i, k], b: Narrow<f64>[k, j]) -> c: Narrow<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
}

const ROWS: usize = 40;

/// A matrix whose rows have any number of the columns, or of those near the diagonal.
fn matrix<E, T>(seed: usize, columns: usize, of: fn(usize) -> T) -> SparseTensor<E, T>
where
    E: Encoding<Index = [usize; 2]>,
    T: SparseElement,
{
    let mut entries = Vec::new();
    let mut state = seed as u64;
    for i in 0..ROWS {
        for j in 0..columns {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let random = (state >> 33) as usize;
            let wanted = match i % 5 {
                0 => false,
                1 => true,
                2 => i.abs_diff(j) < 4,
                _ => random % (columns / 8 + 2) < 2,
            };
            if wanted {
                entries.push(([i, j], of(random % 17 + 1)));
            }
        }
    }
    SparseTensor::from_coo([ROWS, columns], &entries, Duplicates::Error).expect("a matrix")
}

/// Whether a matrix has the expected element at each index, and could have been assembled.
fn check<E, T>(found: SparseTensor<E, T>, columns: usize, at: impl Fn([usize; 2]) -> T)
where
    E: Encoding<Index = [usize; 2]>,
    T: SparseElement,
{
    for i in 0..ROWS {
        for j in 0..columns {
            assert_eq!(found.get([i, j]), at([i, j]), "[{i}, {j}] of {columns} columns");
        }
    }
    SparseTensor::<E, T>::assemble(found.disassemble()).expect("a valid tensor");
}

#[test]
fn sums_are_those_of_both_operands() {
    let half = |n| n as f64 * 0.5;
    for (seed, columns) in [(1, 1), (2, 3), (3, 40), (4, 300)] {
        let (a, b) = (matrix::<Csr, _>(seed, columns, half), matrix::<Csr, _>(9, columns, half));
        let (nothing, sum) = (
            SparseTensor::from_coo([ROWS, columns], &[], Duplicates::Error).expect("a matrix"),
            |at| a.get(at) + b.get(at),
        );
        check(add(&a, &b).expect("sizes agree"), columns, sum);
        check(add(&a, &nothing).expect("sizes agree"), columns, |at| a.get(at));
        check(add(&nothing, &b).expect("sizes agree"), columns, |at| b.get(at));
        check(subtract(&a, &b.convert().expect("rows")).expect("sizes agree"), columns, |at| {
            2.0 * a.get(at) - b.get(at) * b.get(at)
        });
        let [rows, more_rows] = [&a, &b].map(|matrix| matrix.convert::<Dcsr>().expect("rows"));
        check(add_rows(&rows, &more_rows).expect("sizes agree"), columns, sum);
        let [ones, others] = [&a, &b].map(|matrix| matrix.convert::<Csc>().expect("columns"));
        check(add_columns(&ones, &others).expect("sizes agree"), columns, sum);
        let (a, b) = (
            matrix::<Csr, _>(seed, columns, |n| n as i32),
            matrix::<Csr, _>(9, columns, |n| n as i32),
        );
        check(add_whole(&a, &b).expect("sizes agree"), columns, |at| a.get(at) + b.get(at));
    }
}

#[test]
fn what_only_one_operand_has_is_taken_as_it_is() {
    let vector = |entries: &[([usize; 1], f64)]| {
        SparseTensor::<Vector, f64>::from_coo([9], entries, Duplicates::Error).expect("a vector")
    };
    let a = vector(&[([0], -0.0), ([1], f64::INFINITY), ([4], 1.0), ([8], f64::MAX)]);
    let b = vector(&[([1], f64::NEG_INFINITY), ([3], f64::NAN), ([4], -1.0), ([8], f64::MAX)]);
    let c = add_vectors(&a, &b).expect("sizes agree");
    let expected = [-0.0, f64::NAN, f64::NAN, 0.0, f64::INFINITY];
    assert_eq!(c.coordinates(0), [0, 1, 3, 4, 8]);
    assert!(c.values().iter().zip(expected).all(|(c, e)| c.is_nan() && e.is_nan() || c == &e));
    assert!(c.values()[0].is_sign_negative());
}

#[test]
fn products_are_those_of_rows_and_columns() {
    for (seed, columns) in [(1, 1), (2, 40), (3, 300), (4, 9000)] {
        let a = matrix::<Csr, _>(seed, ROWS, |n| n as f64);
        let b = matrix::<Csr, _>(7, columns, |n| n as f64 - 8.0);
        let (mut rows, narrow) = (vec![0.0; ROWS * columns], b.convert::<Narrow>().expect("rows"));
        a.for_each(|[i, k], a| {
            let row = &mut rows[i * columns..][..columns];
            row.iter_mut().enumerate().for_each(|(j, sum)| *sum += a * b.get([k, j]));
        });
        let at = |[i, j]: [usize; 2]| rows[i * columns + j];
        check(multiply(&a, &b).expect("sizes agree"), columns, at);
        check(multiply_narrow(&a, &narrow).expect("sizes agree"), columns, at);
    }
}
