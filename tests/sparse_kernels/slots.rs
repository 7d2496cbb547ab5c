//! Rows of slots that hold one coordinate twice: the entries are one element, whose value is their sum.

use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseTensor};
use tensor_layout::sparsify::{Dense, DynOperand, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Ell = [c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed);
    type EllRows = [c](i, j) -> (i : dense, c * 2 * i : dense, j : compressed);
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Repeated = (i) -> (i : compressed(nonunique));
}

sparse_kernel! {
    fn largest(a: Ell<f64>[i, j]) -> y: Dense<f64>[i] { y[i] max= a[i, j] }
    fn sums(a: Ell<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += abs(a[i, j]) }
    fn copy(a: EllRows<f64>[i, j]) -> y: Dense<f64>[i, j] { y[i, j] = a[i, j] }
    fn reciprocal(a: Repeated<f64>[i]) -> y: Dense<f64>[i] { y[i] = recip(a[i]) }
}

const ELL: &str = "[c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed)";
const ELL_ROWS: &str = "[c](i, j) -> (i : dense, c * 2 * i : dense, j : compressed)";
const CSR: &str = "(i, j) -> (i : dense, j : compressed)";

/// -2 and 3 at (0, 1), 1 at (1, 0) and 5 at (1, 2).
const ENTRIES: [([usize; 2], f64); 4] =
    [([0, 0], -2.0), ([0, 1], 3.0), ([1, 0], 1.0), ([1, 2], 5.0)];
const COORDINATES: usize = 2;

fn tensor(encoding: &str) -> DynSparseTensor<f64> {
    let encoding = encoding.parse().expect("an encoding");
    let tensor = DynSparseTensor::from_coo(encoding, &[2, 3], &ENTRIES, Duplicates::Error);
    let mut parts = tensor.expect("a tensor").disassemble();
    parts.levels[COORDINATES].coordinates[0] = 1;
    DynSparseTensor::assemble(encoding, parts).expect("a tensor")
}

macro_rules! typed {
    ($E:ident) => {{
        let tensor = SparseTensor::<$E, f64>::from_coo([2, 3], &ENTRIES, Duplicates::Error);
        let mut parts = tensor.expect("a tensor").disassemble();
        parts.levels[COORDINATES].coordinates[0] = 1;
        SparseTensor::<$E, f64>::assemble(parts).expect("a tensor")
    }};
}

/// The elements of a statement's result, in row-major order.
fn run(encoding: &str, output: &str, statement: &str) -> Vec<f64> {
    let text = format!("fn f(a: {{{encoding}}}<f64>[i, j]) -> y: {output} {{ {statement} }}");
    let kernel: SparseKernel = text.parse().expect("a kernel");
    match kernel.run(&[tensor(encoding).into()]).expect("an output") {
        DynOperand::Dense { values, .. } => values,
        DynOperand::Sparse(tensor) => {
            let mut values = vec![0.0; 6];
            tensor.to_coo().iter().for_each(|(at, value)| values[at[0] * 3 + at[1]] += value);
            values
        }
        DynOperand::Scalar(value) => vec![value],
        DynOperand::Tiled { .. } => panic!("the output is not packed"),
    }
}

#[test]
fn two_slots_with_one_coordinate_are_one_element() {
    let (rows, all) = ("Dense<f64>[i]", "Dense<f64>[i, j]");
    let csr = format!("{{{CSR}}}<f64>[i, j]");
    for encoding in [ELL, ELL_ROWS] {
        for (output, statement, expected) in [
            (rows, "y[i] max= a[i, j]", vec![1.0, 5.0]),
            (rows, "y[i] min= a[i, j]", vec![1.0, 1.0]),
            (rows, "y[i] *= a[i, j]", vec![1.0, 5.0]),
            (rows, "y[i] += abs(a[i, j])", vec![1.0, 6.0]),
            (rows, "y[i] += a[i, j] * a[i, j]", vec![1.0, 26.0]),
            (rows, "y[i] += 2 * a[i, j]", vec![2.0, 12.0]),
            (rows, "y[i] += a[i, j] if a[i, j] > 0", vec![1.0, 6.0]),
            (all, "y[i, j] = a[i, j]", vec![0.0, 1.0, 0.0, 1.0, 0.0, 5.0]),
            (&csr, "y[i, j] = a[i, j]", vec![0.0, 1.0, 0.0, 1.0, 0.0, 5.0]),
            (&csr, "y[i, j] max= a[i, j]", vec![0.0, 1.0, 0.0, 1.0, 0.0, 5.0]),
        ] {
            assert_eq!(run(encoding, output, statement), expected, "{encoding}: {statement}");
        }
    }
    let values = |dense: Dense<f64, 1>| dense.into_values();
    assert_eq!(values(largest(&typed!(Ell)).expect("y")), [1.0, 5.0]);
    assert_eq!(values(sums(&typed!(Ell)).expect("y")), [1.0, 6.0]);
    let all = copy(&typed!(EllRows)).expect("y").into_values();
    assert_eq!(all, [0.0, 1.0, 0.0, 1.0, 0.0, 5.0]);
}

/// A multiple of a sum is computed entry by entry, so rows of slots are not sorted to be multiplied.
#[test]
fn products_with_slots_convert_nothing() {
    let text = format!(
        "fn f(a: {{{ELL}}}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {{ y[i] += a[i, j] * x[j] }}"
    );
    let kernel: SparseKernel = text.parse().expect("a kernel");
    assert!(!kernel.to_string().contains("sorted"), "{kernel}");
    let x = DynOperand::dense(&[3], vec![1.0, 10.0, 100.0]).expect("three values");
    let output = kernel.run(&[tensor(ELL).into(), x]).expect("an output");
    assert!(matches!(output, DynOperand::Dense { values, .. } if values == [10.0, 501.0]));
}

/// The sum of a group of one entry is that entry, whatever the sign of a zero.
#[test]
fn a_group_of_one_is_its_entry() {
    let a = SparseTensor::<Repeated, f64>::from_coo([1], &[([0], -0.0)], Duplicates::Keep);
    let y = reciprocal(&a.expect("a tensor")).expect("y").into_values();
    let text = "fn f(a: {(i) -> (i : compressed(nonunique))}<f64>[i]) -> y: Dense<f64>[i] { y[i] = recip(a[i]) }";
    let kernel: SparseKernel = text.parse().expect("a kernel");
    let encoding = "(i) -> (i : compressed(nonunique))".parse().expect("an encoding");
    let a = DynSparseTensor::from_coo(encoding, &[1], &[([0], -0.0)], Duplicates::Keep);
    let output = kernel.run(&[a.expect("a tensor").into()]).expect("an output");
    assert!(matches!(output, DynOperand::Dense { values, .. } if values == y));
    assert_eq!(y, [f64::NEG_INFINITY]);
}
