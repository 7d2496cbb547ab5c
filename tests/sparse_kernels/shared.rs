//! Statements that share their outermost loop: computed row by row, the results equal those of separate loops bit for bit.

use crate::cases::cases;
use crate::several::{MATRICES, VECTORS, Written, array, compare, csr, dynamic, run, same};
use crate::tape::Tape;
use proptest::prelude::*;
use std::cell::Cell;
use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{Dense, DynOperand, SparseKernel};

/// A kernel as functions of the macro, and its text.
macro_rules! kernels {
    ($($text:ident { $($kernel:tt)* })*) => {
        $( sparse_kernel! { $($kernel)* } const $text: &str = stringify!($($kernel)*); )*
    };
}

kernels! {
    ATTEND { fn attend(s: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j], q: Dense<f32>[i, k], h: Dense<f32>[j, k], scale: f32) -> (y: Dense<f32>[i, k], z: Dense<f32>[i]) {
        let e: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j] = stored(s[i, j]) * q[i, k] * h[j, k] * scale;
        let most[i] max= e[i, j];
        let p: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j] = stored(e[i, j]) * exp(e[i, j] - most[i]);
        z[i] = p[i, j];
        let t[i, k] = p[i, j] * h[j, k];
        y[i, k] += select(z[i], t[i, k] / z[i], 0)
    } }
    IN_PARTS { fn in_parts(s: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j], q: Dense<f32>[i, k], h: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] {
        let e: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j] = stored(s[i, j]) * q[i, k] * h[j, k]; parallel(i);
        let most[i] max= e[i, j]; parallel(i);
        y[i, k] = e[i, j] * h[j, k] / most[i]; parallel(i)
    } }
}

sparse_kernel! {
    fn scores(s: Csr<bool>[i, j], q: Dense<f32>[i, k], h: Dense<f32>[j, k], scale: f32) -> e: Csr<f32>[i, j] {
        e[i, j] = stored(s[i, j]) * q[i, k] * h[j, k] * scale
    }
    fn largest(e: Csr<f32>[i, j]) -> m: Dense<f32>[i] { m[i] max= e[i, j] }
    fn weights(e: Csr<f32>[i, j], m: Dense<f32>[i]) -> p: Csr<f32>[i, j] { p[i, j] = stored(e[i, j]) * exp(e[i, j] - m[i]) }
    fn sums(p: Csr<f32>[i, j]) -> z: Dense<f32>[i] { z[i] = p[i, j] }
    fn mean(p: Csr<f32>[i, j], h: Dense<f32>[j, k]) -> t: Dense<f32>[i, k] { t[i, k] = p[i, j] * h[j, k] }
    fn divide(t: Dense<f32>[i, k], z: Dense<f32>[i]) -> y: Dense<f32>[i, k] { y[i, k] += select(z[i], t[i, k] / z[i], 0) }
    fn scaled(e: Csr<f32>[i, j], m: Dense<f32>[i], h: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = e[i, j] * h[j, k] / m[i] }
}

/// Rows of 0 to 12 entries, and features whose sums depend on the order of the terms.
fn graph(rows: usize, width: usize) -> (SparseTensor<Csr, bool>, [Vec<f32>; 2]) {
    let entries: Vec<_> = (0..rows * rows).filter(|at| at % rows % 13 < at / rows % 14 && at * 7 % 5 < 4).map(|at| ([at / rows, at % rows], at % 3 != 0)).collect();
    let features = |seed: usize| (0..rows * width).map(|n| 1.0 / ((n * 31 + seed) % 17 + 1) as f32 - 0.3).collect();
    (csr([rows, rows], &entries), [features(1), features(8)])
}

#[test]
fn rows_are_those_of_loops_one_after_another() {
    for (rows, width) in [(0, 3), (1, 0), (1, 1), (5, 3), (16, 8), (40, 33)] {
        let (s, [q, h]) = graph(rows, width);
        let ((q, dynamic_q), (h, dynamic_h)) = (array([rows, width], &q), array([rows, width], &h));
        let (y, z) = attend(&s, &q, &h, 0.7).expect("an output");
        let e = scores(&s, &q, &h, 0.7).expect("scores");
        let p = weights(&e, &largest(&e).expect("extrema")).expect("weights");
        let expected = sums(&p).expect("sums");
        assert_eq!(z, expected, "{rows} {width}");
        assert_eq!(y, divide(&mean(&p, &h).expect("a mean"), &expected).expect("a quotient"), "{rows} {width}");
        let all = [dynamic(&s).into(), dynamic_q.clone().into(), dynamic_h.clone().into(), DynOperand::Scalar(0.7f32).into()];
        assert_eq!(run(ATTEND, &all), [same(&y), same(&z)], "{rows} {width}");
        // `+=` adds to the given array, `=` overwrites it.
        let (mut given, mut overwritten) = (Dense::filled([rows, width], 2.0f32).expect("memory"), Dense::filled([rows], 77.0f32).expect("memory"));
        attend_into(&s, &q, &h, 0.7, &mut given, &mut overwritten).expect("an output");
        assert_eq!(overwritten, z);
        assert!(given.values().iter().zip(y.values()).all(|(given, y)| *given == 2.0 + y));
        // In parts, on the available threads.
        let e = scores(&s, &q, &h, 1.0).expect("scores");
        let expected = scaled(&e, &largest(&e).expect("extrema"), &h).expect("an output");
        let y = in_parts(&s, &q, &h).expect("an output");
        let bits = |y: &Dense<f32, 2>| y.values().iter().map(|y| y.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&y), bits(&expected));
        let all = [dynamic(&s).into(), dynamic_q.into(), dynamic_h.into()];
        assert_eq!(run(IN_PARTS, &all).len(), 1);
    }
}

#[test]
fn many_rows_run_in_parts() {
    let entries: Vec<_> = (0..2000).flat_map(|i| (0..i % 4).map(move |n| ([i, (i * 13 + n * 7) % 50], true))).collect();
    let s = csr([2000, 50], &entries);
    let features = |len: usize| (0..len * 5).map(|n| ((n * 31) % 17) as f32 - 8.0).collect::<Vec<f32>>();
    let (q, h) = (array([2000, 5], &features(2000)).0, array([50, 5], &features(50)).0);
    let e = scores(&s, &q, &h, 1.0).expect("scores");
    let expected = scaled(&e, &largest(&e).expect("extrema"), &h).expect("an output");
    let mut y = Dense::filled([2000, 5], 77.0f32).expect("memory");
    in_parts_into(&s, &q, &h, &mut y).expect("an output");
    assert!(y.values().iter().zip(expected.values()).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn the_loop_is_shown() {
    let kernel: SparseKernel = IN_PARTS.parse().expect("a kernel");
    let statements: Vec<_> = kernel.kernels().map(|kernel| kernel.statement.clone()).collect();
    assert_eq!(kernel.to_string(), format!("{}:\n{}", statements.join("; "), "\
for i in 0..size(i) /* in parallel */ {
    // e[i, j] = stored(s[i, j]) * q[i, k] * h[j, k]
    let mut e = [identity; s.level1[i].len()]; // one row
    for (p_s, j) in s.level1[i] {
        let mut sum = identity;
        {
            let mut sums = [[identity; LANES]; 1]; // LANES: 8
            prefetch(|j| h[j * h.shape[1]]);
            prefetch(|j| h[j * h.shape[1] + 8]);
            for chunk in 0..size(k) / 8 {
                let q_lanes0 = q[i * q.shape[1] + chunk * 8..][..LANES];
                let h_lanes1 = h[j * h.shape[1] + chunk * 8..][..LANES];
                for lane in 0..LANES {
                    let k = chunk * 8 + lane;
                    sums[0][lane] += 1 * q_lanes0[lane] * h_lanes1[lane];
                }
            }
            for rest in 0..size(k) % 8 {
                let k = (size(k) / 8) * 8 + rest;
                sums[0][rest] += 1 * q[i * q.shape[1] + k] * h[j * h.shape[1] + k];
            }
            sum += sums[0].reduce();
        }
        e[p_s] = sum;
    }
    // most[i] max= e[i, j]
    let mut most = [identity; 1]; // one row
    let mut sum = identity;
    for (p_e, j) in s.level1[i] /* in four lanes */ {
        sum = max(sum, e[p_e]);
    }
    most[i] = max(most[i], sum);
    // y[i, k] = e[i, j] * h[j, k] / most[i]
    for lane0 in (0..size(k)).step_by(LANES) {
        let mut sums = [[identity; LANES]; 1]; // LANES: 32, then 8, then 1
        for (p_e, j) in s.level1[i] {
            prefetch(|j| h[j * h.shape[1] + lane0]);
            let e_lanes0 = e[p_e];
            let h_lanes1 = h[j * h.shape[1] + lane0..][..LANES];
            let most_lanes2 = most[i];
            for lane in 0..LANES {
                let k = lane0 + lane;
                sums[0][lane] += e_lanes0 * h_lanes1[lane] / most_lanes2;
            }
        }
        y[i * y.shape[1] + lane0..][..LANES] = sums[0];
    }
}
"));
    let notes: Vec<_> = kernel.kernels().flat_map(|kernel| kernel.notes.clone()).collect();
    assert_eq!(notes[1..], ["`e` is not stored: only the entries of a row at a time", "`most` is not stored: only an element at a time"], "{notes:?}");
}

#[test]
fn statements_that_read_other_rows_have_loops_of_their_own() {
    let csr = "{(i, j) -> (i : dense, j : compressed)}";
    let shares = |first: &str, second: &str| {
        let text = format!("fn f(a: {csr}<f64>[i, j], c: {{(i, j) -> (j : dense, i : compressed)}}<f64>[i, j], b: {csr}<f32>[i, j], x: Dense<f64>[j], p: Dense<u32>[i]) -> y: Dense<f64>[i] {{ {first}; {second} }}");
        let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        kernel.to_string().contains("// one row")
    };
    let t = format!("let t: {csr}<f64>[i, j] = 2 * a[i, j]");
    for (first, second, expected) in [
        (t.as_str(), "y[i] = t[i, j] * x[j]", true),
        (&t, "y[i] max= t[i, j] - x[i]", true),
        (&t, "y[i] = x[i] - t[i, i]", true),
        (&t, "y[i] = t[i, j] * a[i, j]", true),
        (&t, "let u[i] = a[i, j] * x[j]; y[i] = u[i] * t[i, j]", true),
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[i] * a[i, j]", true),
        ("let t[i] = a[i, j] * x[j]; parallel(i)", "y[i] = t[i] * a[i, j]; parallel(i)", true),
        // By other rows, by columns, through an index array.
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[j] * a[i, j]", false),
        (&t, "y[j] = t[i, j]", false),
        (&t, "y[i] = t[j, i]", false),
        (&t, "y[i] = t[p[i], j]", false),
        (&t, "y[i] = t[i + 1, j]; size(i, 2)", false),
        ("let t[i] = c[i, j]", "y[i] = t[i] * a[i, j]", false),
        // One thread and several, one element type and another, an order of loops, a number.
        ("let t[i] = a[i, j] * x[j]; parallel(i)", "y[i] = t[i] * a[i, j]", false),
        ("let t: Dense<f32>[i] = b[i, j]", "y[i] = t[i] * a[i, j]", false),
        ("let t: Dense<f32>[i] = a[i, j]; accumulator(f64)", "y[i] = t[i] * a[i, j]", false),
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[i] * a[i, j]; order(j, i)", false),
        ("let t = a[i, j] * x[j]", "y[i] = t * a[i, j]", false),
        // Nothing is read from the statement before.
        ("let t[i] = a[i, j] * x[j]; let u[i] = 2 * a[i, j]", "let v = u[i]; y[i] = v * t[i] * a[i, j]", false),
    ] {
        assert_eq!(shares(first, second), expected, "{first}; {second}");
    }
}

#[test]
fn sizes_are_checked_before_the_loop() {
    let (s, [q, h]) = graph(5, 3);
    let (q, h) = (array([5, 3], &q).0, array([3, 5], &h).0);
    let error = in_parts(&s, &q, &h).expect_err("sizes").to_string();
    assert_eq!(error, "index `j` is 3 in `h`, but 5 in dimension 1 of `s`");
}

/// Statements about rows: scores at stored entries, a number for each row, entries again, and an array.
const LISTS: [(&str, &[Written]); 4] = [
    ("t", &[
        Written { text: "t[i, j] = a[i, j] * x[j]", reads: &["a", "x"], target: &["i", "j"] },
        Written { text: "t[i, j] = a[i, j] * b[i, k] * b[j, k]", reads: &["a", "b"], target: &["i", "j"] },
        Written { text: "t[i, j] = stored(a[i, j]) * (b[i, j] - x[i])", reads: &["a", "b", "x"], target: &["i", "j"] },
        Written { text: "t[i, k] = a[i, j] * b[j, k]", reads: &["a", "b"], target: &["i", "k"] },
    ]),
    ("r", &[
        Written { text: "r[i] = t[i, j]", reads: &["t"], target: &["i"] },
        Written { text: "r[i] max= t[i, j] * x[j]", reads: &["t", "x"], target: &["i"] },
        Written { text: "r[i] += x[i] - t[i, i]", reads: &["t", "x"], target: &["i"] },
        Written { text: "r[j] = t[i, j]", reads: &["t"], target: &["j"] },
        Written { text: "r[i] = 3 if t[i, j] > a[i, j]", reads: &["t", "a"], target: &["i"] },
    ]),
    ("u", &[
        Written { text: "u[i, j] = t[i, j] * r[i]", reads: &["t", "r"], target: &["i", "j"] },
        Written { text: "u[i, j] = stored(t[i, j]) * max(t[i, j] - r[i], 1)", reads: &["t", "r"], target: &["i", "j"] },
        Written { text: "u[i, j] = t[i, j] * r[j]", reads: &["t", "r"], target: &["i", "j"] },
        Written { text: "u[i, j] = t[i, j] - a[i, j] * r[i]", reads: &["t", "a", "r"], target: &["i", "j"] },
    ]),
    ("y", &[
        Written { text: "y[i, k] = u[i, j] * b[j, k]", reads: &["u", "b"], target: &["i", "k"] },
        Written { text: "y[i] = u[i, j] * r[i] - t[i, j]", reads: &["u", "r", "t"], target: &["i"] },
        Written { text: "y[i, j] += u[i, j] + b[i, j] * r[i]", reads: &["u", "b", "r"], target: &["i", "j"] },
        Written { text: "y[i, k] = b[i, k] * r[i] + u[i, k] - t[k, i]", reads: &["u", "b", "r", "t"], target: &["i", "k"] },
    ]),
];

#[test]
fn rows_compute_what_each_statement_computes_alone() {
    let shared = Cell::new(0);
    let config = ProptestConfig { cases: cases(250), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() };
    let matrices = [MATRICES[1], MATRICES[1], MATRICES[1], MATRICES[1], MATRICES[0], MATRICES[3]];
    let vectors = [VECTORS[0], VECTORS[0], VECTORS[0], VECTORS[1]];
    let result = proptest::test_runner::TestRunner::new(config).run(&prop::collection::vec(any::<u8>(), 100..250), |bytes| {
        let types = [&matrices[..], &["Dense", MATRICES[1]], &matrices, &vectors];
        let loops = compare(&mut Tape::new(&bytes), &LISTS, types, 5, false)?;
        shared.set(shared.get() + u32::from(loops.is_some_and(|loops| loops.contains("// one row"))));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(shared.get() > 10, "{} functions share loops", shared.get());
}
