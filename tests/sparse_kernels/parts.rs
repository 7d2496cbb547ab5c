//! Sparse results and scalars on several threads: equal to those on one thread and to plain loops.

use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::SparseKernel;
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Rows = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    type Columns = (i, j) -> (j : dense, i : compressed);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
}

/// Each kernel with and without a schedule.
macro_rules! pairs {
    ($($name:ident $parallel:ident ($($operand:ident: $ty:tt[$($dim:ident),*]),*) -> $out:ident: $out_ty:tt[$($out_dim:ident),*] { $($body:tt)* } $index:ident)*) => {
        sparse_kernel! { $(
            fn $name($($operand: $ty<f64>[$($dim),*]),*) -> $out: $out_ty<f64>[$($out_dim),*] { $($body)* }
            fn $parallel($($operand: $ty<f64>[$($dim),*]),*) -> $out: $out_ty<f64>[$($out_dim),*] { $($body)*; parallel($index) }
        )* }
    };
}
pairs! {
    product product_parallel(a: Rows[i, k], b: Rows[k, j]) -> c: Rows[i, j] { c[i, j] = a[i, k] * b[k, j] } i
    sum sum_parallel(a: Rows[i, j], b: Rows[i, j]) -> c: Rows[i, j] { c[i, j] = a[i, j] + 2 * b[i, j] } i
    meet meet_parallel(a: Rows[i, j], b: Rows[i, j]) -> c: Coo[i, j] { c[i, j] = a[i, j] * b[i, j] } i
    few few_parallel(a: Rows[i, j], b: Rows[i, j]) -> c: Dcsr[i, j] { c[i, j] = a[i, j] * b[i, j] } i
    blocks blocks_parallel(a: Bsr[i, j], b: Bsr[i, j]) -> c: Bsr[i, j] { c[i, j] = a[i, j] + b[i, j] } i
    turned turned_parallel(a: Rows[i, k], b: Rows[k, j]) -> c: Columns[i, j] { c[i, j] = a[i, k] * b[k, j]; order(i, k, j) } i
    sampled sampled_parallel(s: Rows[i, j], u: Dense[i, k], v: Dense[k, j]) -> c: Rows[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] } i
    sampled_blocks sampled_blocks_parallel(s: Bsr[i, j], u: Dense[i, k], v: Dense[k, j]) -> c: Bsr[i, j] { c[i, j] = s[i, j] * u[i, k] * v[k, j] } i
}

sparse_kernel! {
    fn total(a: Rows<f64>[i, j], x: Dense<f64>[j]) -> s: f64 { s += a[i, j] * x[j]; parallel(i) }
    fn triangles(a: Rows<i64>[i, j], b: Rows<i64>[j, k], c: Rows<i64>[i, k]) -> s: i64 { s += a[i, j] * b[j, k] * c[i, k]; parallel(i) }
    fn largest(a: Rows<f64>[i, j]) -> s: f64 { s max= a[i, j]; parallel(i) }
    fn longest(a: Rows<f64>[i, j]) -> s: f64 { s = reduce(f64::max, 0.0, abs(a[i, j])); parallel(i) }
    fn dot(x: Dense<f32>[i], y: Dense<f32>[i]) -> s: f64 { s += x[i] * y[i]; parallel(i) }
    fn shortest(a: Rows<f64>[i, k], b: Rows<f64>[k, j]) -> c: Rows<f64>[i, j] {
        c[i, j] min= binary(a[i, k], b[k, j], both = |x, y| x + y);
        parallel(i)
    }
}

/// A matrix with empty rows, short ones, and a few full ones.
fn matrix<E: Encoding<Index = [usize; 2]>>(
    tape: &mut Tape,
    [rows, columns]: [usize; 2],
) -> SparseTensor<E, f64> {
    let mut entries = Vec::new();
    let mut seed = tape.below(1 << 16) as u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for i in 0..rows {
        let often = [0, 3, 3, 20, 100][random(5)];
        let row = (0..columns).filter(|_| random(100) < often);
        entries.extend(row.collect::<Vec<_>>().into_iter().map(|j| ([i, j], 0.0)));
    }
    // Sums of these are rounded, so that their order shows.
    entries.iter_mut().for_each(|(_, value)| *value = random(1000) as f64 / 7.0 - 60.5);
    SparseTensor::from_coo([rows, columns], &entries, Duplicates::Error).expect("a matrix")
}

/// Plain loops.
fn plain_product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    c
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn threads_do_not_change_what_is_computed(bytes in proptest::collection::vec(any::<u8>(), 64), size in 0..260usize) {
        let mut tape = Tape::new(&bytes);
        let a = matrix::<Rows>(&mut tape, [size; 2]);
        let b = matrix::<Rows>(&mut tape, [size; 2]);
        prop_assert_eq!(product(&a, &b).unwrap(), product_parallel(&a, &b).unwrap());
        prop_assert_eq!(sum(&a, &b).unwrap(), sum_parallel(&a, &b).unwrap());
        prop_assert_eq!(meet(&a, &b).unwrap(), meet_parallel(&a, &b).unwrap());
        prop_assert_eq!(few(&a, &b).unwrap(), few_parallel(&a, &b).unwrap());
        prop_assert_eq!(turned(&a, &b).unwrap(), turned_parallel(&a, &b).unwrap());
        let [a2, b2] = [&a, &b].map(|a| a.convert::<Bsr>().unwrap());
        prop_assert_eq!(blocks(&a2, &b2).unwrap(), blocks_parallel(&a2, &b2).unwrap());
        let u: Vec<f64> = (0..size * 3).map(|n| n as f64 / 3.0).collect();
        let u = tensor_layout::sparsify::Dense::new([size, 3], u).unwrap();
        let v = tensor_layout::sparsify::Dense::new([3, size], u.values().to_vec()).unwrap();
        prop_assert_eq!(sampled(&a, &u, &v).unwrap(), sampled_parallel(&a, &u, &v).unwrap());
        let sampled = sampled_blocks(&a2, &u, &v).unwrap();
        prop_assert_eq!(sampled, sampled_blocks_parallel(&a2, &u, &v).unwrap());
        // It could have been assembled.
        let c = product_parallel(&a, &b).unwrap();
        prop_assert!(SparseTensor::<Rows, f64>::assemble(c.disassemble()).is_ok());
    }

    #[test]
    fn numbers_are_those_of_plain_loops(bytes in proptest::collection::vec(any::<u8>(), 64), size in 0..1500usize) {
        let mut tape = Tape::new(&bytes);
        let a = matrix::<Rows>(&mut tape, [size, 9]);
        let x: Vec<f64> = (0..9).map(|j| j as f64 / 3.0 - 1.0).collect();
        let (mut expected, mut most, mut bound) = (0.0, f64::NEG_INFINITY, 0.0f64);
        a.for_each(|[_, j], value| {
            expected += value * x[j];
            bound += (value * x[j]).abs();
            most = f64::max(most, *value);
        });
        let found = total(&a, &x).unwrap();
        prop_assert!((found - expected).abs() <= 1e-13 * bound, "{} is not {}", found, expected);
        prop_assert_eq!(largest(&a).unwrap(), most);
        let far = a.values().iter().fold(0.0, |far: f64, x| far.max(x.abs()));
        prop_assert_eq!(longest(&a).unwrap(), far);
        let (y, z): (Vec<f32>, Vec<f32>) = (0..size).map(|n| (n as f32, (n % 5) as f32)).unzip();
        let exact: f64 = y.iter().zip(&z).map(|(y, z)| f64::from(*y) * f64::from(*z)).sum();
        prop_assert_eq!(dot(&y[..], &z[..]).unwrap(), exact);
    }
}

#[test]
fn products_on_threads_are_those_of_plain_loops() {
    let n = 200;
    let mut tape = Tape::new(&[7; 64]);
    let (a, b) = (matrix::<Rows>(&mut tape, [n; 2]), matrix::<Rows>(&mut tape, [n; 2]));
    let (dense_a, dense_b) = (a.to_dense().unwrap(), b.to_dense().unwrap());
    let expected = plain_product(&dense_a, &dense_b, n);
    let found = product_parallel(&a, &b).unwrap().to_dense().unwrap();
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= 1e-9, "{found} is not {expected}");
    }
    let shortest = shortest(&a, &b).unwrap();
    let stored = |at: &f64| *at != 0.0;
    for ([i, j], value) in shortest.to_coo() {
        let through = (0..n).filter(|k| stored(&dense_a[i * n + k]) && stored(&dense_b[k * n + j]));
        let least = through.map(|k| dense_a[i * n + k] + dense_b[k * n + j]).fold(1e9, f64::min);
        assert_eq!(value, least);
    }
}

/// The macro and the interpreter cut a sum into the same parts, which do not depend on the number of threads.
#[test]
fn sums_are_the_same_with_any_number_of_threads() {
    let mut tape = Tape::new(&[3; 64]);
    let a = matrix::<Rows>(&mut tape, [40_000, 9]);
    let x: Vec<f64> = (0..9).map(|j| 0.1 + j as f64 / 3.0).collect();
    let found = total(&a, &x).unwrap();
    let kernel: SparseKernel = "fn f(a: {(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}<f64>[i, j], x: Dense<f64>[j]) -> s: f64 { s += a[i, j] * x[j]; parallel(i) }".parse().unwrap();
    assert!(kernel.to_string().contains("in parallel"), "{kernel}");
    let operands = [
        tensor_layout::sparse::DynSparseTensor::from(a.clone()).into(),
        tensor_layout::sparsify::DynOperand::dense(&[9], x.clone()).unwrap(),
    ];
    let run = kernel.run(&operands).unwrap();
    assert_eq!(run, tensor_layout::sparsify::DynOperand::Scalar(found));
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| total(&a, &x).unwrap()), found, "{threads} threads");
    }
}

#[test]
fn triangles_are_counted() {
    // In a complete graph of n vertices, every three vertices form a triangle.
    let n = 300;
    let edges: Vec<_> = (0..n).flat_map(|i| (i + 1..n).map(move |j| ([i, j], 1i64))).collect();
    let a = SparseTensor::<Rows, i64>::from_coo([n; 2], &edges, Duplicates::Error).unwrap();
    assert_eq!(triangles(&a, &a, &a).unwrap() as usize, n * (n - 1) * (n - 2) / 6);
}

#[test]
fn an_entry_that_does_not_fit_is_an_error_on_threads_too() {
    sparse_encoding! { type Narrow = (i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 16; }
    sparse_kernel! {
        fn copied(a: Rows<f64>[i, j]) -> c: Narrow<f64>[i, j] { c[i, j] = 2 * a[i, j]; parallel(i) }
    }
    let diagonal = |n: usize| {
        let entries: Vec<_> = (0..n).map(|i| ([i, i], 1.0)).collect();
        SparseTensor::<Rows, f64>::from_coo([n; 2], &entries, Duplicates::Error).unwrap()
    };
    assert_eq!(copied(&diagonal(255)).unwrap().values().len(), 255);
    let error = copied(&diagonal(700)).unwrap_err();
    assert!(error.to_string().contains("does not fit 8 bits"), "{error}");
}

#[test]
fn only_loops_over_the_first_level_add_entries_on_threads() {
    let error = "fn f(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], b: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : loose_compressed)}<f64>[i, j] { c[i, j] = a[i, j] * b[i, j]; parallel(i) }"
        .parse::<SparseKernel>()
        .unwrap_err();
    assert!(error.to_string().contains("several threads cannot add entries to `c`"), "{error}");
}

/// Names that the macro could use for items of its own.
#[test]
fn encodings_have_any_names() {
    sparse_encoding! {
        type Loops = (i, j) -> (i : dense, j : compressed);
        type Kernel = (i, j) -> (i : dense, j : compressed);
        type Part = (i, j) -> (i : dense, j : compressed);
    }
    sparse_kernel! {
        fn loops(a: Loops<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] }
        fn kernels(a: Kernel<f64>[i, j], b: Part<f64>[i, j]) -> c: Part<f64>[i, j] {
            c[i, j] = a[i, j] + b[i, j]; parallel(i)
        }
    }
    let dense = [1.0, 0.0, 2.0, 3.0];
    let a = SparseTensor::<Loops, f64>::from_dense([2, 2], &dense).expect("a matrix");
    assert_eq!(loops(&a).expect("sums").into_values(), [1.0, 5.0]);
    let a = SparseTensor::<Kernel, f64>::from_dense([2, 2], &dense).expect("a matrix");
    let b = SparseTensor::<Part, f64>::from_dense([2, 2], &dense).expect("a matrix");
    let c = kernels(&a, &b).expect("a sum");
    assert_eq!(c.to_dense().expect("memory"), [2.0, 0.0, 4.0, 6.0]);
}
