//! The result is the same for every schedule.

use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparsify::{Dense, KernelError, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense);
}

sparse_kernel! {
    fn plain(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn ordered(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; order(i, j) }
    fn split(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; split(i, 8) }
    fn unrolled(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; unroll(i, 4) }
    fn scattered(a: Csr<f64>[j, i], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[j, i] * x[j]; order(j, i) }
    fn scattered_unrolled(a: Csr<f64>[j, i], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[j, i] * x[j]; order(j, i); unroll(i, 3) }
    fn parallel(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; parallel(i) }
    fn blocks(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn parallel_blocks(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {
        y[i] += a[i, j] * x[j];
        parallel(i floordiv 4)
    }
    fn parallel_split(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; split(i, 8); parallel(i) }
    fn parallel_twice_split(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {
        y[i] += a[i, j] * x[j];
        split(i, 8);
        split(i, 2);
        parallel(i)
    }
    fn parallel_part(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; split(i, 3); parallel(i floordiv 3) }
    fn parallel_all_blocks(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; parallel(i) }
    fn parallel_block_columns(a: Bsr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] += a[i, j] * x[j, k]; parallel(i) }
    fn vectors_of_blocks(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; split(i, 4); order(j, i); vectorize(i) }
    fn columns(a: Csr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] = a[i, j] * x[j, k] }
    fn block_columns(a: Bsr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] = a[i, j] * x[j, k] }
    fn vectors(a: Csr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] {
        y[i, k] = a[i, j] * x[j, k];
        vectorize(k);
        parallel(i)
    }
}

/// A matrix with rows of all lengths, more of them than threads take at once.
fn matrix(rows: usize) -> SparseTensor<Csr, f64> {
    let entry = |n: usize| ([n * 7919 % rows, n * 104_729 % 50], (n % 13) as f64 - 6.0);
    let mut entries: Vec<_> = (0..9 * rows).map(entry).collect();
    entries.sort_by_key(|(index, _)| *index);
    entries.dedup_by_key(|(index, _)| *index);
    SparseTensor::from_coo([rows, 50], &entries, Duplicates::Error).expect("a matrix")
}

#[test]
fn schedules_do_not_change_what_is_computed() {
    let x: Vec<f64> = (0..50).map(|j| (j % 7) as f64).collect();
    for rows in [0, 1, 999, 1000] {
        let a = matrix(rows);
        let expected = plain(&a, &x).expect("sizes agree");
        type Kernel = fn(&SparseTensor<Csr, f64>, &[f64]) -> Result<Dense<f64, 1>, KernelError>;
        let kernels: [Kernel; 8] = [
            |a, x| ordered(a, x),
            |a, x| split(a, x),
            |a, x| unrolled(a, x),
            |a, x| parallel(a, x),
            |a, x| parallel_split(a, x),
            |a, x| parallel_twice_split(a, x),
            |a, x| parallel_part(a, x),
            |a, x| vectors_of_blocks(a, x),
        ];
        for kernel in kernels {
            assert_eq!(kernel(&a, &x).expect("sizes agree"), expected, "{rows} rows");
        }
        let z = vec![2.0; rows];
        let expected_below = scattered(&a, &z).expect("sizes agree");
        assert_eq!(scattered_unrolled(&a, &z).expect("sizes agree"), expected_below);
        let b = a.convert::<Bsr>().expect("blocks");
        assert_eq!(blocks(&b, &x).expect("sizes agree"), expected, "{rows} rows");
        assert_eq!(parallel_blocks(&b, &x).expect("sizes agree"), expected, "{rows} rows");
        assert_eq!(parallel_all_blocks(&b, &x).expect("sizes agree"), expected, "{rows} rows");
        let x = Dense::new([50, 1], x.clone()).expect("as many values");
        let columns = parallel_block_columns(&b, &x).expect("sizes agree");
        assert_eq!(columns.values(), expected.values(), "{rows} rows");
    }
}

#[test]
fn any_number_of_columns_is_cut_into_strips() {
    let a = matrix(300);
    for k in [0, 1, 7, 8, 9, 32, 41, 72] {
        let values = (0..50 * k).map(|n| (n % 11) as f64 - 5.0).collect();
        let x = Dense::new([50, k], values).expect("as many values");
        let mut expected = vec![0.0; 300 * k];
        a.for_each(|[i, j], value| {
            (0..k).for_each(|c| expected[i * k + c] += value * x[[j, c]]);
        });
        assert_eq!(columns(&a, &x).expect("sizes agree").values(), expected, "{k} columns");
        // Blocks fill the rows; they fill the columns if there are 52 of them.
        let mut entries = Vec::new();
        a.for_each(|index, value| entries.push((index, *value)));
        for columns in [50, 52] {
            let b = SparseTensor::<Bsr, f64>::from_coo([300, columns], &entries, Duplicates::Error);
            let (b, mut values) = (b.expect("blocks"), x.values().to_vec());
            values.resize(columns * k, 1.0);
            let x = Dense::new([columns, k], values).expect("as many values");
            let y = block_columns(&b, &x).expect("sizes agree");
            assert_eq!(y.values(), expected, "{k} columns");
        }
        let mut y = Dense::filled([300, k], f64::NAN).expect("memory");
        vectors_into(&a, &x, &mut y).expect("sizes agree");
        assert_eq!(y.values(), expected, "{k} columns");
    }
}

#[test]
fn sizes_that_disagree_are_errors_that_name_the_index() {
    let a = matrix(3);
    let error = plain(&a, &[1.0; 49]).expect_err("49 is not 50");
    assert_eq!(error.to_string(), "index `j` is 49 in `x`, but 50 in dimension 1 of `a`");
    let error = plain_into(&a, &[1.0; 50], &mut [0.0; 4]).expect_err("4 is not 3");
    assert_eq!(error.to_string(), "the output `y` is 4 along dimension 0, but 3 is written");
    let error = Dense::new([2, 3], vec![0.0; 5]).expect_err("5 is not 6");
    assert_eq!(error.to_string(), "5 values were given, but the shape [2, 3] has 6");
}

/// Sizes of zero do not change the loops.
#[test]
fn sizes_of_zero_have_a_cost() {
    let loops = |size: usize| {
        let csr = "{(i, j) -> (i : dense, j : compressed)}<f64>";
        let text = format!(
            "fn f(a: {csr}[i, j], b: {csr}[j, k]) -> c: {csr}[i, k] {{ c[i, k] = a[i, j] * b[j, k]; size(i, {size}); size(j, {size}) }}"
        );
        let kernel: SparseKernel = text.parse().expect("a kernel");
        kernel.to_string().replace(&format!("..{size} "), ".. ")
    };
    assert_eq!(loops(0), loops(1));
}
