//! Sparse outputs in the memory of a given tensor: equal to those of the function that makes a new one.

use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::sparse::{BuildError, Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::KernelError;
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Rows = (i, j) -> (i : dense, j : compressed);
    type Narrow = (i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 8;
    type Pairs = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
}

sparse_kernel! {
    fn product(a: Rows<f64>[i, k], b: Rows<f64>[k, j]) -> c: Rows<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
    fn sum(a: Rows<f64>[i, j], b: Rows<f64>[i, j]) -> c: Rows<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn pairs(a: Rows<f64>[i, j], b: Rows<f64>[i, j]) -> c: Pairs<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    fn few(a: Dcsr<f64>[i, j], b: Rows<f64>[i, j]) -> c: Dcsr<f64>[i, j] { c[i, j] = a[i, j] * b[i, j] }
    fn narrow(a: Rows<f64>[i, j], b: Rows<f64>[i, j]) -> c: Narrow<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
}

fn matrix<E: Encoding<Index = [usize; 2]>>(tape: &mut Tape<'_>, shape: [usize; 2]) -> SparseTensor<E, f64> {
    let indices = (0..shape[0] * shape[1]).filter(|_| tape.once_in(3)).map(|at| [at / shape[1], at % shape[1]]);
    let entries: Vec<_> = indices.enumerate().map(|(at, index)| (index, at as f64 + 1.0)).collect();
    SparseTensor::from_coo(shape, &entries, Duplicates::Error).expect("a matrix")
}

/// Compares an output in the memory of a tensor with a new one.
fn same<E: Encoding<Index = [usize; 2]>>(
    mut old: SparseTensor<E, f64>,
    new: Result<SparseTensor<E, f64>, KernelError>,
    into: impl Fn(&mut SparseTensor<E, f64>) -> Result<(), KernelError>,
) {
    let new = new.expect("sizes agree");
    into(&mut old).expect("sizes agree");
    assert_eq!(old, new);
    let values = old.values().as_ptr();
    into(&mut old).expect("sizes agree");
    assert_eq!(old, new);
    assert!(old.values().is_empty() || old.values().as_ptr() == values, "the second time nothing grows");
    SparseTensor::<E, f64>::assemble(old.disassemble()).expect("a valid tensor");
}

#[test]
fn operands_that_do_not_fit_leave_the_output_as_it_is() {
    let tape = &mut Tape::new(&[2; 100]);
    let (a, b) = (matrix::<Rows>(tape, [2, 3]), matrix::<Rows>(tape, [2, 3]));
    let mut c = sum(&a, &b).expect("sizes agree");
    let error = product_into(&a, &b, &mut c).expect_err("3 columns are not 2 rows");
    assert!(matches!(error, KernelError::Size { index: "k", .. }), "{error}");
    assert_eq!(c, sum(&a, &b).expect("sizes agree"));
}

#[test]
fn an_output_that_cannot_be_stored_has_no_entries() {
    let all: Vec<_> = (0..400).map(|at| ([at / 200, at % 200], 1.0)).collect();
    let long = SparseTensor::<Rows, f64>::from_coo([2, 200], &all, Duplicates::Error).expect("a matrix");
    let small = SparseTensor::<Rows, f64>::from_coo([2, 200], &all[..1], Duplicates::Error).expect("a matrix");
    let mut c = narrow(&small, &small).expect("few entries");
    let error = narrow_into(&long, &small, &mut c).expect_err("positions have 8 bits");
    assert!(matches!(error, KernelError::Build(BuildError::PositionOverflow { bits: 8, .. })), "{error}");
    assert_eq!((c.shape(), c.values().len()), ([0, 0], 0));
    narrow_into(&small, &small, &mut c).expect("few entries");
    assert_eq!(c, narrow(&small, &small).expect("few entries"));
}

proptest! {
    #[test]
    fn outputs_are_made_in_the_memory_of_others(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let tape = &mut Tape::new(&bytes);
        let [m, n, o] = [(); 3].map(|()| tape.below(6));
        let (a, b, d) = (matrix::<Rows>(tape, [m, n]), matrix::<Rows>(tape, [n, o]), matrix::<Rows>(tape, [m, n]));
        let (few_rows, other) = (matrix::<Dcsr>(tape, [m, n]), [tape.below(9), tape.below(9)]);
        same(matrix(tape, other), product(&a, &b), |c| product_into(&a, &b, c));
        same(matrix(tape, other), sum(&a, &d), |c| sum_into(&a, &d, c));
        same(matrix(tape, other), pairs(&a, &d), |c| pairs_into(&a, &d, c));
        same(matrix(tape, other), few(&few_rows, &d), |c| few_into(&few_rows, &d, c));
        same(matrix(tape, other), narrow(&a, &d), |c| narrow_into(&a, &d, c));
    }
}
