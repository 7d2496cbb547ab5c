//! The meaning of a statement does not depend on how it is computed: the order of the loops, blocks, conversions of operands,
//! or the number of entries at one index.

use tensor_layout::half::f16;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding, SparseTensor};
use tensor_layout::sparsify::{Dense, DynOperand, Evaluate, KernelError, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Vector = (i) -> (i : compressed);
    type Csf = (i, j, k) -> (i : compressed, j : compressed, k : compressed);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Batch = (i, j) -> (i : batch, j : batch);
    type Most = (i, j) -> (i : dense, j : structured[3, 4]);
    type Line = (i, j) -> (i * 64 + j : compressed(nonunique));
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton(nonunique));
    type Diagonals = (i, j) -> (i - j : compressed, j : range);
}

sparse_kernel! {
    fn least(a: Bsr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] min= a[i, j] }
    fn least_by_columns(a: Bsr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] min= a[i, j]; order(j, i) }
    fn columns(a: Bsr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = 2 * a[i, j]; order(j, i) }
    fn by_infinity(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; order(j, i) }
    fn largest_of_batches(a: Batch<f64>[i, j]) -> y: Dense<f64>[i] { y[i] max= a[i, j] }

    fn rows(a: Csr<f64>[i, j], b: Dense<f64>[i, l], c: Dense<f64>[j, l]) -> y: Dense<f64>[i, l] {
        y[i, l] += a[i, j] * b[i, l] * c[j, l]
    }
    fn fibers(a: Csf<f64>[i, j, k], b: Dense<f64>[j, l], c: Dense<f64>[k, l]) -> y: Dense<f64>[i, l] {
        y[i, l] += a[i, j, k] * b[j, l] * c[k, l]
    }

    fn largest(a: Most<f64>[i, j]) -> y: Dense<f64>[i] { y[i] max= a[i, j] }
    fn largest_in_blocks(a: Most<f64>[i, j]) -> y: Dense<f64>[i] { y[i] max= a[i, j]; split(j, 2) }
    fn product_in_blocks(a: Most<f64>[i, j]) -> y: Dense<f64>[i] { y[i] *= a[i, j]; split(j, 2) }
    fn rows_in_blocks(a: Most<f64>[i, j]) -> c: Dense<f64>[i, j] { c[i, j] = a[i, j]; split(j, 2) }
    fn by_blocks(a: Most<f64>[i, j], b: Bsr<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] += a[i, j] * b[j, k] }
    fn shifted(a: Most<f64>[i, n]) -> y: Dense<f64>[i, j] { y[i, j] min= a[i, j + 1]; size(j, 3) }

    fn line_largest(a: Line<f64>[i, j]) -> y: Dense<f64>[i] { y[i] max= a[i, j] }
    fn line_guarded(a: Line<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] if a[i, j] > 1 }
    fn line_product(a: Line<f64>[i, j]) -> y: Dense<f64>[i] { y[i] *= a[i, j] }
    fn line_halves(a: Line<i32>[i, j]) -> y: Dense<i32>[i] { y[i] += a[i, j] / 2 }
    fn line_by_infinity(a: Line<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn pairs_halves(a: Coo<i32>[i, j]) -> y: Dense<i32>[i] { y[i] += a[i, j] / 2 }

    fn window(x: Dense<f64>[n], w: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] += x[i + k] * w[k] }
    fn windows(x: Dense<f64>[n], w: Dense<f64>[m], v: Dense<f64>[l]) -> y: Dense<f64>[i, k] {
        y[i, k] += x[i + k] * w[k + l] * v[l]
    }
    fn spread(a: Vector<f64>[i]) -> y: Dense<f64>[n] { y[4 * i] += a[i] }
    fn spread_entries(a: Vector<f64>[i]) -> y: Vector<f64>[n] { y[4 * i] = a[i] }
    fn diagonals(a: Diagonals<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] {
        y[i, k] += a[i, j] * x[j, k]; split(j, 2)
    }
}

fn dense<const RANK: usize>(shape: [usize; RANK], values: &[f64]) -> Dense<f64, RANK> {
    Dense::new(shape, values.to_vec()).expect("as many values")
}

fn values<T: Copy, const RANK: usize>(output: Result<Dense<T, RANK>, KernelError>) -> Vec<T> {
    output.expect("an output").into_values()
}

/// The result of a statement at run time.
fn interpreted(text: &str, a: &DynOperand<f64>) -> Vec<f64> {
    let kernel: SparseKernel = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    match kernel.run(std::slice::from_ref(a)).expect("an output") {
        DynOperand::Dense { values, .. } => values,
        output => panic!("{output:?} is not dense"),
    }
}

#[test]
fn zeros_of_blocks_count_in_every_order_of_the_loops() {
    let a = SparseTensor::from_coo([2, 2], &[([0, 0], 5.0)], Duplicates::Error).expect("blocks");
    assert_eq!(values(least(&a)), [0.0, 0.0]);
    assert_eq!(values(least_by_columns(&a)), [0.0, 0.0]);
    let entries = columns(&a).expect("rows").to_coo();
    assert_eq!(entries, [([0, 0], 10.0), ([0, 1], 0.0), ([1, 0], 0.0), ([1, 1], 0.0)]);
    assert!(values(by_infinity(&a, &[1.0, f64::INFINITY])).iter().all(|y| y.is_nan()));
    let a = SparseTensor::from_coo([2, 2], &[([0, 0], -5.0)], Duplicates::Error).expect("batches");
    assert_eq!(values(largest_of_batches(&a)), [0.0, 0.0]);
    let encoding: SparseEncoding = "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)"
        .parse()
        .expect("an encoding");
    let a = DynSparseTensor::from_coo(encoding, &[2, 2], &[([0, 0], 5.0)], Duplicates::Error);
    let a = DynOperand::from(a.expect("blocks"));
    for order in ["", "; order(j, i)"] {
        let text = format!(
            "fn f(a: {{(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}}<f64>[i, j]) -> y: Dense<f64>[i] {{ y[i] min= a[i, j]{order} }}"
        );
        assert_eq!(interpreted(&text, &a), [0.0, 0.0], "{order}");
    }
}

#[test]
fn products_are_made_in_the_order_in_which_they_are_written() {
    let a = SparseTensor::from_coo([2, 1], &[([0, 0], 1.0)], Duplicates::Error).expect("rows");
    let b = dense([2, 1], &[1.0, f64::INFINITY]);
    assert_eq!(values(rows(&a, &b, &dense([1, 1], &[1.0]))), [1.0, 0.0]);
    let a = SparseTensor::from_coo([1, 1], &[([0, 0], 1e200)], Duplicates::Error).expect("rows");
    let c = dense([1, 1], &[1e200]);
    assert_eq!(values(rows(&a, &dense([1, 1], &[1e-200]), &c)), [1e200]);
    let a = SparseTensor::from_coo([1, 1, 1], &[([0, 0, 0], 1e200)], Duplicates::Error);
    let a = a.expect("fibers");
    assert_eq!(values(fibers(&a, &dense([1, 1], &[1e-200]), &c)), [1e200]);
}

#[test]
fn padding_behind_the_end_is_not_visited() {
    let entries = [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0];
    let entries: Vec<_> = (0..6).map(|at| ([at / 2, at % 2], entries[at])).collect();
    let a = SparseTensor::from_coo([3, 2], &entries, Duplicates::Error).expect("most of four");
    assert_eq!(values(largest(&a)), [-1.0, -3.0, -5.0]);
    assert_eq!(values(largest_in_blocks(&a)), [-1.0, -3.0, -5.0]);
    assert_eq!(values(product_in_blocks(&a)), [2.0, 12.0, 30.0]);
    assert_eq!(values(rows_in_blocks(&a)), [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    let b = SparseTensor::from_coo([2, 1], &[([1, 0], 10.0)], Duplicates::Error).expect("blocks");
    assert_eq!(values(by_blocks(&a, &b)), [-20.0, -40.0, -60.0]);
    let none = f64::INFINITY;
    assert_eq!(values(shifted(&a)), [-2.0, none, none, -4.0, none, none, -6.0, none, none]);
    // Diagonals end outside the array.
    let a = SparseTensor::from_coo([3, 5], &[([0, 4], 9.0)], Duplicates::Error).expect("diagonals");
    assert_eq!(values(diagonals(&a, &dense([5, 1], &[1.0; 5]))), [9.0, 0.0, 0.0]);
}

#[test]
fn entries_at_one_index_count_as_their_sum() {
    let twice = |a: f64, b: f64| {
        let entries = [([0, 1], a), ([0, 1], b)];
        SparseTensor::from_coo([1, 2], &entries, Duplicates::Keep).expect("two entries")
    };
    assert_eq!(values(line_largest(&twice(1.0, 1.0))), [2.0]);
    assert_eq!(values(line_guarded(&twice(1.0, 1.0))), [2.0]);
    assert_eq!(values(line_product(&twice(2.0, 3.0))), [5.0]);
    assert_eq!(values(line_by_infinity(&twice(2.0, -1.0), &[0.0, f64::INFINITY])), [f64::INFINITY]);
    let entries = [([0, 1], 1), ([0, 1], 1)];
    let a = SparseTensor::from_coo([1, 2], &entries, Duplicates::Keep).expect("two entries");
    assert_eq!(values(line_halves(&a)), [1]);
    let a = SparseTensor::from_coo([1, 2], &entries, Duplicates::Keep).expect("two entries");
    assert_eq!(values(pairs_halves(&a)), [1]);
}

#[test]
fn a_window_longer_than_its_array_fits_nowhere() {
    assert_eq!(values(window(&[1.0, 2.0], &[1.0; 5])), [0.0; 0]);
    assert_eq!(values(window(&[1.0, 2.0], &[1.0; 2])), [3.0]);
    // The size of `i` follows from the size of `k`, which has no values.
    let y = windows(&[1.0, 2.0], &[1.0; 2], &[1.0; 5]).expect("nothing");
    assert_eq!(y.shape(), [3, 0]);
}

#[test]
fn what_cannot_be_counted_is_an_error() {
    let size = 1usize << (usize::BITS - 2);
    let entries = [([3], 1.0), ([size - 1], 2.0)];
    let a = SparseTensor::from_coo([size], &entries, Duplicates::Error).expect("a vector");
    assert!(matches!(spread(&a), Err(KernelError::OutOfMemory { .. })));
    assert!(spread_entries(&a).is_err());
    let encoding: SparseEncoding = "(i) -> (i : compressed)".parse().expect("an encoding");
    let a = DynSparseTensor::from_coo(encoding, &[size], &entries, Duplicates::Error);
    let a = DynOperand::from(a.expect("a vector"));
    for out in ["Dense", "{(i) -> (i : compressed)}"] {
        let text = format!(
            "fn f(a: {{(i) -> (i : compressed)}}<f64>[i]) -> y: {out}<f64>[n] {{ y[4 * i] = a[i] }}"
        );
        let kernel: SparseKernel = text.parse().expect("a kernel");
        assert!(kernel.run(std::slice::from_ref(&a)).is_err(), "{out}");
    }
}

/// Where nothing is stored, a comparison of constants is decided in advance, with the same result as for elements.
#[test]
fn numbers_are_compared_as_elements() {
    fn of<T: Evaluate>(condition: &str, zero: T, one: T) -> [T; 2] {
        let encoding = "(i) -> (i : compressed)";
        let element = T::ELEMENT;
        let text = format!(
            "fn f(a: {{{encoding}}}<{element}>[i]) -> y: Dense<{element}>[i] {{ y[i] = {condition} }}"
        );
        let kernel: SparseKernel = text.parse().expect("a kernel");
        let encoding = encoding.parse().expect("an encoding");
        // One stored zero, and an index where nothing is stored.
        let entries = [([0], one)];
        let tensor = DynSparseTensor::from_coo(encoding, &[2], &entries, Duplicates::Error);
        let mut parts = tensor.expect("a tensor").disassemble();
        parts.values[0] = zero;
        let tensor = DynSparseTensor::assemble(encoding, parts).expect("a tensor");
        match kernel.run(&[tensor.into()]).expect("an output") {
            DynOperand::Dense { values, .. } => [values[0], values[1]],
            output => panic!("{output:?} is not dense"),
        }
    }
    assert_eq!(of("a[i] < 1e-50", 0.0f32, 1.0), [0.0; 2]);
    assert_eq!(of("a[i] == -1e-50", 0.0f32, 1.0), [1.0; 2]);
    assert_eq!(of("a[i] < 1e-50", 0.0f64, 1.0), [1.0; 2]);
    assert_eq!(of("(a[i] + 16777217) == 16777216", 0.0f32, 1.0), [1.0; 2]);
    assert_eq!(of("(a[i] + 9007199254740993) == 9007199254740992", 0.0f64, 1.0), [1.0; 2]);
    assert_eq!(of("(a[i] + 9007199254740993) == 9007199254740992", 0i64, 1), [0; 2]);
    let (zero, one) = (f16::from_f32(0.0), f16::from_f32(1.0));
    assert_eq!(of("a[i] < 2e-8", zero, one), [zero; 2]);
    assert_eq!(of("(a[i] + 2049) <= 2048", zero, one), [one; 2]);
}
