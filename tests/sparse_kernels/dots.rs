//! Sums along contiguous arrays, which are computed in eight lanes: term `n` is added to sum `n mod 8`.

use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{Dense, DynOperand, SparseKernel};

sparse_kernel! {
    fn dot(x: Dense<f32>[k], y: Dense<f32>[k], z: f32) -> s: f32 { s = x[k] * y[k] * z }
    fn least(x: Dense<f64>[i, k], y: Dense<f64>[i]) -> m: Dense<f64>[i] { m[i] min= x[i, k] - y[i] }
    fn sampled(s: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[j, k]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] {
        c[i, j] = stored(s[i, j]) * u[i, k] * v[j, k]
    }
}

/// The documented order of additions.
fn in_lanes(terms: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    terms.iter().enumerate().for_each(|(n, term)| sums[n % 8] += term);
    sums.iter().fold(0.0, |sum, lane| sum + lane)
}

#[test]
fn terms_are_added_in_the_documented_order() {
    let text = "fn dot(x: Dense<f32>[k], y: Dense<f32>[k], z: f32) -> s: f32 { s = x[k] * y[k] * z }";
    let kernel: SparseKernel = text.parse().expect("a kernel");
    for len in [0, 1, 7, 8, 9, 16, 23, 64, 101] {
        // Sums of these depend on the order.
        let x: Vec<f32> = (0..len).map(|n| 1.0 / (n as f32 + 3.0)).collect();
        let y: Vec<f32> = (0..len).map(|n| (n * n) as f32 - 7.3).collect();
        let terms: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x * y * 1.7).collect();
        let s = dot(&x[..], &y[..], 1.7).expect("sizes agree");
        assert_eq!(s, in_lanes(&terms), "{len}");
        let [x, y] = [x, y].map(|values| DynOperand::dense(&[len], values).expect("all values"));
        assert_eq!(kernel.run(&[x, y, DynOperand::Scalar(1.7)]), Ok(DynOperand::Scalar(s)), "{len}");
    }
}

#[test]
fn sums_at_entries_and_extrema_are_those_of_plain_loops() {
    let number = |n: usize| ((n * 31 + 5) % 13) as f64 - 6.0;
    for width in [1, 5, 8, 16, 19] {
        let array = |rows: usize, seed: usize| {
            Dense::new([rows, width], (0..rows * width).map(|n| number(n + seed)).collect())
        };
        let (u, v) = (array(6, 0).expect("all"), array(40, 3).expect("all"));
        let entries: Vec<_> = (0..240).filter(|n| n % 3 != 1).map(|n| ([n / 40, n % 40], 2.0)).collect();
        let s = SparseTensor::<Csr, f64>::from_coo([6, 40], &entries, Duplicates::Error).expect("a matrix");
        for ([i, j], value) in sampled(&s, &u, &v).expect("sizes agree").to_coo() {
            assert_eq!(value, (0..width).map(|k| u[[i, k]] * v[[j, k]]).sum::<f64>());
        }
        let y: Vec<f64> = (0..6).map(number).collect();
        let m = least(&u, &y[..]).expect("sizes agree");
        for i in 0..6 {
            let expected = (0..width).map(|k| u[[i, k]] - y[i]).fold(f64::INFINITY, f64::min);
            assert_eq!(m[[i]], expected);
        }
    }
}

#[test]
fn short_sums_and_those_of_strides_stay_as_they_are() {
    let loops = |text: &str| text.parse::<SparseKernel>().expect("a kernel").to_string();
    assert!(loops("fn f(x: Dense<f32>[k]) -> s: f32 { s = x[k] }").contains("in 0..size(k) / 8"));
    for text in [
        "fn f(x: Dense<f32>[k]) -> s: f32 { s = x[k]; size(k, 7) }",
        "fn f(x: Dense<f32>[k]) -> s: f32 { s = x[k]; unroll(k) }",
        "fn f(x: Dense<f32>[n]) -> s: f32 { s = x[2 * k]; size(k, 9) }",
        "fn f(x: Dense<i64>[k]) -> s: i64 { s = x[k] }",
        "fn f(x: Dense<f32>[k]) -> s: f32 { s = reduce(f32::hypot, 0, x[k]) }",
    ] {
        assert!(!loops(text).contains("sums"), "{}", loops(text));
    }
}
