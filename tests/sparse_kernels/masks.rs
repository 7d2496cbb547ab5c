//! Masks: a product is computed only where the mask stores an element, or only where it does not. A function in the statement
//! counts its calls.

use std::cell::Cell;
use tensor_layout::num_complex::Complex as Number;
use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
}

std::thread_local! { static CALLS: Cell<usize> = const { Cell::new(0) }; }

/// Returns the number, and counts the call.
fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x
}

sparse_kernel! {
    fn gustavson(m: Csr<f64>[i, j], a: Csr<f64>[i, k], b: Csr<f64>[k, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] {
        c[i, j] = m[i, j] * a[i, k] * b[k, j] * call(counted, z[i])
    }
    fn inner(m: Csr<f64>[i, j], a: Csr<f64>[i, k], b: Csc<f64>[k, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] {
        c[i, j] = m[i, j] * a[i, k] * b[k, j] * call(counted, z[i])
    }
    fn sampled(m: Csr<f64>[i, j], a: Dense<f64>[i, k], b: Dense<f64>[k, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] {
        c[i, j] = m[i, j] * a[i, k] * b[k, j] * call(counted, z[i])
    }
    fn guarded(m: Csr<f64>[i, j], a: Csr<f64>[i, k], b: Csr<f64>[k, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] {
        c[i, j] = a[i, k] * b[k, j] * call(counted, z[i]) if m[i, j] != 0
    }
    fn complement(m: Csr<f64>[i, j], a: Csr<f64>[i, k], b: Csr<f64>[k, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] {
        c[i, j] = a[i, k] * b[k, j] * call(counted, z[i]) if m[i, j] == 0
    }
    fn scaled(a: Csr<Number<f64>>[i, j], s: Number<f64>) -> c: Csr<Number<f64>>[i, j] { c[i, j] = s * a[i, j] }
    fn total(a: Csr<Number<f64>>[i, j]) -> s: Number<f64> { s += a[i, j] }
}

const SIZE: usize = 24;

/// Whether an element is stored in the mask, in `a` and in `b`.
fn stored(matrix: usize, i: usize, j: usize) -> bool {
    (i * 7 + j * [3, 5, 11][matrix] + i * j).is_multiple_of([4, 3, 3][matrix])
}

fn matrix<E: Encoding<Index = [usize; 2]>>(number: usize) -> SparseTensor<E, f64> {
    let all = (0..SIZE * SIZE).map(|at| [at / SIZE, at % SIZE]);
    let entries = all.filter(|[i, j]| stored(number, *i, *j));
    let entries: Vec<_> = entries.map(|[i, j]| ([i, j], (1 + i + 2 * j) as f64)).collect();
    SparseTensor::from_coo([SIZE, SIZE], &entries, Duplicates::Error).expect("a matrix")
}

/// The number of calls, and the result.
fn counting<E: Encoding, X: std::fmt::Debug>(
    run: impl FnOnce() -> Result<SparseTensor<E, f64>, X>,
) -> (usize, Vec<f64>) {
    CALLS.set(0);
    let output = run().expect("an output");
    (CALLS.get(), output.to_dense().expect("memory"))
}

#[test]
fn only_what_the_mask_stores_is_computed() {
    let (m, a, b) = (matrix::<Csr>(0), matrix::<Csr>(1), matrix::<Csr>(2));
    let (columns, z) = (matrix::<Csc>(2), [1.0; SIZE]);
    let dense = |number: usize| {
        let values = matrix::<Csr>(number).to_dense().expect("memory");
        tensor_layout::sparsify::Dense::new([SIZE, SIZE], values).expect("as many values")
    };
    let (da, db, dm) = (dense(1), dense(2), dense(0));
    // The number of products inside the mask and outside, and their sums.
    let (mut inside, mut outside) = (0, 0);
    let [mut times, mut kept, mut others] = [(); 3].map(|()| vec![0.0; SIZE * SIZE]);
    for i in 0..SIZE {
        for j in 0..SIZE {
            for k in (0..SIZE).filter(|k| stored(1, i, *k) && stored(2, *k, j)) {
                let (at, product) = (i * SIZE + j, da[[i, k]] * db[[k, j]]);
                if stored(0, i, j) {
                    inside += 1;
                    times[at] += dm[[i, j]] * product;
                    kept[at] += product;
                } else {
                    outside += 1;
                    others[at] += product;
                }
            }
        }
    }
    assert!(inside > 20 && outside > 200, "{inside} {outside}");
    assert_eq!(counting(|| gustavson(&m, &a, &b, &z)), (inside, times.clone()));
    assert_eq!(counting(|| inner(&m, &a, &columns, &z)), (inside, times.clone()));
    assert_eq!(counting(|| sampled(&m, &da, &db, &z)), (m.number_of_entries() * SIZE, times));
    assert_eq!(counting(|| guarded(&m, &a, &b, &z)), (inside, kept));
    assert_eq!(counting(|| complement(&m, &a, &b, &z)), (outside, others));
}

#[test]
fn a_number_has_any_type_of_elements() {
    let entries = [([0, 1], Number::new(1.0, 2.0)), ([1, 0], Number::new(0.0, -1.0))];
    let a = SparseTensor::<Csr, Number<f64>>::from_coo([2, 2], &entries, Duplicates::Error);
    let a = a.expect("a matrix");
    let c = scaled(&a, Number::new(0.0, 1.0)).expect("a matrix");
    assert_eq!(c.values(), [Number::new(-2.0, 1.0), Number::new(1.0, 0.0)]);
    assert_eq!(total(&a), Ok(Number::new(1.0, 1.0)));
}
