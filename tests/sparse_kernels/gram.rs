//! One operand that is read under several names of indices: products of a matrix and its transposed, and the like, in every
//! encoding, against plain loops.

use crate::parsed::parsed;
use crate::random::encoding;
use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, Encoding, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{Dense, DynOperand, KernelError};

const N: usize = 4;
/// The types of `a`: arrays, and the encodings of matrices.
const OPERANDS: [&str; 8] = [
    "Dense",
    "{(i, j) -> (i : dense, j : compressed)}",
    "{(i, j) -> (j : dense, i : compressed)}",
    "{(i, j) -> (i : compressed, j : compressed)}",
    "{(i, j) -> (i : compressed(nonunique), j : singleton)}",
    "{(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}",
    "{[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}",
    "{(i, j) -> (j - i : compressed, i : range)}",
];
const OUTPUTS: [&str; 3] = [OPERANDS[0], OPERANDS[1], OPERANDS[2]];

/// The signature after the type of `a`, with `OUT` for an output's type, the statement, and its meaning.
type Row = (&'static str, &'static str, fn(&[[f64; N]; N]) -> Vec<f64>);

fn all(f: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..N * N).map(|at| f(at / N, at % N)).collect()
}

const ROWS: [Row; 9] = [
    ("[i, k]) -> c: OUT<f64>[i, j]", "c[i, j] += a[i, k] * a[j, k]", |a| all(|i, j| (0..N).map(|k| a[i][k] * a[j][k]).sum())),
    ("[k, i]) -> c: OUT<f64>[i, j]", "c[i, j] += a[k, i] * a[k, j]", |a| all(|i, j| (0..N).map(|k| a[k][i] * a[k][j]).sum())),
    ("[i, k]) -> c: OUT<f64>[i, j]", "c[i, j] += a[i, k] * a[k, j]", |a| all(|i, j| (0..N).map(|k| a[i][k] * a[k][j]).sum())),
    ("[i, j]) -> c: OUT<f64>[i, j]", "c[i, j] = a[i, j] + a[j, i]", |a| all(|i, j| a[i][j] + a[j][i])),
    ("[i, j]) -> c: OUT<f64>[i, j]", "c[i, j] = a[i, j] * a[j, i]", |a| all(|i, j| a[i][j] * a[j][i])),
    ("[i, j]) -> y: Dense<f64>[i]", "y[i] += a[i, j] * a[j, i]", |a| (0..N).map(|i| (0..N).map(|j| a[i][j] * a[j][i]).sum()).collect()),
    ("[i, k]) -> s: f64", "s += a[i, k] * a[j, k]", |a| vec![(0..N).map(|k| (0..N).map(|i| a[i][k]).sum::<f64>().powi(2)).sum()]),
    ("[i, k]) -> y: Dense<f64>[i]", "y[i] += a[i, k] * a[k, l]", |a| (0..N).map(|i| (0..N).map(|k| a[i][k] * a[k].iter().sum::<f64>()).sum()).collect()),
    ("[i, k]) -> c: OUT<f64>[i, j]", "c[i, j] += a[i, k] * a[k, l] * a[l, j]", |a| all(|i, j| (0..N).map(|k| (0..N).map(|l| a[i][k] * a[k][l] * a[l][j]).sum::<f64>()).sum())),
];

fn array(tape: &mut Tape<'_>) -> [[f64; N]; N] {
    let mut a = [[0.0; N]; N];
    for value in a.iter_mut().flatten() {
        *value = if tape.once_in(2) { tape.below(7) as f64 - 3.0 } else { 0.0 };
    }
    a
}

fn operand(ty: &str, a: &[[f64; N]; N]) -> DynOperand<f64> {
    if ty == "Dense" {
        return DynOperand::dense(&[N, N], a.concat()).expect("all values");
    }
    let entries = (0..N * N).map(|at| (vec![at / N, at % N], a[at / N][at % N])).filter(|(_, value)| *value != 0.0);
    let entries: Vec<_> = entries.collect();
    let tensor = DynSparseTensor::from_coo(encoding(ty.trim_matches(['{', '}'])), &[N, N], &entries, Duplicates::Error);
    tensor.expect("a matrix").into()
}

fn dense(output: DynOperand<f64>) -> Vec<f64> {
    match output {
        DynOperand::Scalar(value) => vec![value],
        DynOperand::Sparse(tensor) => {
            let mut dense = vec![0.0; N * N];
            tensor.to_coo().into_iter().for_each(|(at, value)| dense[at[0] * N + at[1]] += value);
            dense
        }
        DynOperand::Dense { values, .. } => values,
        DynOperand::Tiled { .. } => panic!("an output that is not packed"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn statements_equal_plain_loops(bytes in proptest::collection::vec(any::<u8>(), 40)) {
        let a = array(&mut Tape::new(&bytes));
        for (signature, statement, meaning) in ROWS {
            for (ty, out) in OPERANDS.iter().flat_map(|ty| OUTPUTS.iter().map(move |out| (ty, out))) {
                let text = format!("fn f(a: {ty}<f64>{} {{ {statement} }}", signature.replace("OUT", out));
                let output = parsed(&text, &[]).run(&[operand(ty, &a)]).unwrap_or_else(|error| panic!("{text}: {error}"));
                prop_assert_eq!(dense(output), meaning(&a), "{}", text);
            }
        }
    }
}

sparse_kernel! {
    fn arrays(a: Dense<f64>[i, k]) -> c: Dense<f64>[i, j] { c[i, j] += a[i, k] * a[j, k] }
    fn rows(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, k]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] { c[i, j] = a[i, k] * a[j, k] }
    fn columns(a: {(i, j) -> (j : dense, i : compressed)}<f64>[i, k]) -> c: Dense<f64>[i, j] { c[i, j] += a[i, k] * a[j, k] }
    fn total(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, k]) -> s: f64 { s += a[i, k] * a[j, k] }
    fn symmetric(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] { c[i, j] = a[i, j] + a[j, i] }
}

fn stored<E: Encoding<Index = [usize; 2]>>(a: &[[f64; N]; N]) -> SparseTensor<E, f64> {
    SparseTensor::from_dense([N, N], &a.concat()).expect("a matrix")
}

proptest! {
    #[test]
    fn functions_equal_plain_loops(bytes in proptest::collection::vec(any::<u8>(), 40)) {
        let a = array(&mut Tape::new(&bytes));
        prop_assert_eq!(arrays(&a).expect("a product").into_values(), (ROWS[0].2)(&a));
        prop_assert_eq!(rows(&stored(&a)).expect("a product").to_dense().expect("memory"), (ROWS[0].2)(&a));
        prop_assert_eq!(columns(&stored(&a)).expect("a product").into_values(), (ROWS[0].2)(&a));
        prop_assert_eq!(total(&stored(&a)).expect("a sum"), (ROWS[6].2)(&a)[0]);
        prop_assert_eq!(symmetric(&stored(&a)).expect("a sum").to_dense().expect("memory"), (ROWS[3].2)(&a));
    }
}

/// `i` and `k` are both dimension 0 of `a`, so a square matrix is needed where both dimensions have one index.
#[test]
fn matrices_that_are_not_square_have_a_product_with_their_transposed_alone() {
    let a = Dense::new([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("all values");
    assert_eq!(arrays(&a).expect("a product").values(), [14.0, 32.0, 32.0, 77.0]);
    let coo = SparseTensor::from_dense([2, 3], a.values()).expect("a matrix");
    let error = symmetric(&coo).expect_err("2 rows are not 3 columns");
    assert!(matches!(error, KernelError::Size { .. }), "{error}");
}
