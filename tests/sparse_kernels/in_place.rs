//! Sparse outputs whose values are recomputed in place: they equal those of the function that makes the output, and of plain
//! loops; an output with other positions or coordinates is an error.

use crate::tape::Tape;
use half::bf16;
use proptest::prelude::*;
use tensor_layout::sparse::{Duplicates, Encoding, SparseElement, SparseTensor};
use tensor_layout::sparsify::{Dense, KernelError};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Rows = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    type Columns = (i, j) -> (j : dense, i : compressed);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
    type Full = (i, j) -> (j : dense, i : dense);
}

sparse_kernel! {
    fn rows(s: Rows<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Rows<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
    fn rows_parallel(s: Rows<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Rows<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j]; parallel(i) }
    fn columns(s: Columns<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Columns<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
    fn blocks(s: Bsr<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Bsr<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
    fn few_rows(s: Dcsr<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Dcsr<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
    fn rounded(s: Rows<bf16>[i, j], u: Dense<bf16>[i, k], v: Dense<bf16>[k, j]) -> c: Rows<bf16>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
    fn full(s: Rows<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> c: Full<f64>[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] }
}

/// The number of indices that are summed over.
const TERMS: usize = 3;

/// Whole numbers, so that sums are exact in any order. This also holds for `bf16`: each sum is at most 3 * 4 * 2 * 2.
fn values<T: Whole>(tape: &mut Tape, len: usize, most: usize) -> Vec<T> {
    (0..len).map(|_| T::whole(tape.below(most) as f32 + 1.0)).collect()
}

trait Whole {
    fn whole(number: f32) -> Self;
}

impl Whole for f64 {
    fn whole(number: f32) -> Self {
        number.into()
    }
}

impl Whole for bf16 {
    fn whole(number: f32) -> Self {
        Self::from_f32(number)
    }
}

/// The result, by plain loops, in row-major order.
fn plain(s: &[f64], u: &[f64], v: &[f64], [m, n]: [usize; 2]) -> Vec<f64> {
    let mut c = vec![0.0; m * n];
    for i in 0..m {
        for j in 0..n {
            for k in 0..TERMS {
                c[i * n + j] += s[i * n + j] * u[i * TERMS + k] * v[k * n + j];
            }
        }
    }
    c
}

fn tensor<E: Encoding<Index = [usize; 2]>, T: SparseElement + Whole>(
    tape: &mut Tape,
    shape: [usize; 2],
    indices: &[[usize; 2]],
) -> SparseTensor<E, T> {
    let entries: Vec<_> = indices.iter().copied().zip(values(tape, indices.len(), 4)).collect();
    SparseTensor::from_coo(shape, &entries, Duplicates::Error).expect("a tensor")
}

/// Makes an output from some operands, recomputes it from others with the same entries, and compares.
macro_rules! check {
    ($tape:ident, $shape:ident, $indices:ident, $($make:ident $into:ident $E:ident $T:ident;)*) => { $( {
        let [m, n] = $shape;
        let [(s, u, v), (s2, u2, v2)] = [(); 2].map(|()| (
            tensor::<$E, $T>(&mut $tape, $shape, &$indices),
            Dense::new([m, TERMS], values::<$T>(&mut $tape, m * TERMS, 2)).expect("an array"),
            Dense::new([TERMS, n], values::<$T>(&mut $tape, TERMS * n, 2)).expect("an array"),
        ));
        let mut c = $make(&s, &u, &v).expect("an output");
        $into(&s2, &u2, &v2, &mut c).expect("the same entries");
        prop_assert_eq!(&c, &$make(&s2, &u2, &v2).expect("an output"));
        let all = |values: &[$T]| values.iter().map(|value| f64::from(*value)).collect::<Vec<_>>();
        let expected = plain(&all(&s2.to_dense().expect("memory")), &all(u2.values()), &all(v2.values()), $shape);
        prop_assert_eq!(all(&c.to_dense().expect("memory")), expected);
    } )* };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn values_are_those_of_a_new_output(bytes in proptest::collection::vec(any::<u8>(), 4096)) {
        let mut tape = Tape::new(&bytes);
        let shape = [2 * tape.below(70), 2 * tape.below(6)];
        let all = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j]));
        let often = tape.below(4);
        let indices: Vec<_> = all.filter(|_| tape.below(3) < often).collect();
        check! { tape, shape, indices,
            rows rows_into Rows f64;
            rows_parallel rows_parallel_into Rows f64;
            columns columns_into Columns f64;
            blocks blocks_into Bsr f64;
            few_rows few_rows_into Dcsr f64;
            rounded rounded_into Rows bf16;
        }
        let (s, u, v) = (
            tensor::<Rows, f64>(&mut tape, shape, &indices),
            Dense::new([shape[0], TERMS], values(&mut tape, shape[0] * TERMS, 2)).expect("an array"),
            Dense::new([TERMS, shape[1]], values(&mut tape, TERMS * shape[1], 2)).expect("an array"),
        );
        let made = full(&s, &u, &v).expect("an output");
        let mut c = made.clone();
        c.values_mut().fill(f64::NAN);
        full_into(&s, &u, &v, &mut c).expect("the same shape");
        prop_assert_eq!(c, made);
    }
}

/// An output is left unchanged if its entries are elsewhere, however little the arrays differ.
#[test]
fn other_entries_are_an_error() {
    let of = |shape, indices: &[[usize; 2]]| {
        let entries: Vec<_> = indices.iter().map(|index| (*index, 5.0)).collect();
        SparseTensor::<Rows, f64>::from_coo(shape, &entries, Duplicates::Error).expect("a tensor")
    };
    let s = of([3, 4], &[[0, 1], [1, 2], [2, 3]]);
    let (u, v) = ([[1.0; TERMS]; 3], [[1.0; 4]; TERMS]);
    let mut same = of([3, 4], &[[0, 1], [1, 2], [2, 3]]);
    assert_eq!(rows_into(&s, &u, &v, &mut same), Ok(()));
    assert_eq!(same.values(), [15.0; 3]);

    let wrong = KernelError::Pattern { operand: "c", from: "s" };
    assert_eq!(
        wrong.to_string(),
        "the output `c` does not have the positions and coordinates of `s`"
    );
    let others: [&[[usize; 2]]; 4] = [
        &[],
        // Another coordinate, another row, one entry more.
        &[[0, 1], [1, 2], [2, 0]],
        &[[0, 1], [0, 2], [2, 3]],
        &[[0, 1], [1, 2], [2, 2], [2, 3]],
    ];
    for other in others {
        let mut c = of([3, 4], other);
        let before = c.clone();
        assert_eq!(rows_into(&s, &u, &v, &mut c), Err(wrong.clone()));
        assert_eq!(rows_parallel_into(&s, &u, &v, &mut c), Err(wrong.clone()));
        assert_eq!(c, before);
    }
    let mut wide = of([3, 5], &[[0, 1], [1, 2], [2, 3]]);
    let error = KernelError::Output { operand: "c", dim: 1, size: 5, expected: 4 };
    assert_eq!(rows_into(&s, &u, &v, &mut wide), Err(error.clone()));
    let mut wide = SparseTensor::<Full, f64>::from_dense([3, 5], &[0.0; 15]).expect("a tensor");
    assert_eq!(full_into(&s, &u, &v, &mut wide), Err(error));
    // The sizes of operands are compared first, as for a new output.
    assert!(matches!(rows_into(&s, &u, &[[1.0; 5]; TERMS][..], &mut same), Err(KernelError::Size { .. })));
}
