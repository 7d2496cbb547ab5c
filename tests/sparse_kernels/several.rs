//! Functions of several statements, through the macro and at run time: their results equal those of the statements run one at a
//! time.

use crate::case::index;
use crate::cases::cases;
use crate::random::{encoding, entries};
use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::half::bf16;
use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{AnyOperand, Dense, DynOperand, Evaluate, RunError, SparseKernel};

/// A kernel as functions of the macro, and its text.
macro_rules! kernels {
    ($($text:ident { $($kernel:tt)* })*) => {
        $( sparse_kernel! { $($kernel)* } const $text: &str = stringify!($($kernel)*); )*
    };
}

kernels! {
    LAYER { fn layer(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], x: Dense<f32>[j, k], w: Dense<f32>[k, l], bias: Dense<f32>[l]) -> h: Dense<f32>[i, l] {
        let t[i, k] = a[i, j] * x[j, k];
        let u[i, l] = t[i, k] * w[k, l]; order(i, k, l);
        h[i, l] = max(u[i, l] + bias[l], 0)
    } }
    ATTENTION { fn attention(s: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j], q: Dense<f64>[i, k], key: Dense<f64>[j, k], v: Dense<f64>[j, l], scale: f64) -> o: Dense<f64>[i, l] {
        let e: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] = scale * s[i, j] * q[i, k] * key[j, k];
        let most[i] max= e[i, j];
        let p: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] = stored(e[i, j]) * exp(e[i, j] - most[i]);
        let z[i] = p[i, j];
        o[i, l] = p[i, j] * v[j, l] / z[i]
    } }
    STEP { fn step(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], p: Dense<f64>[j], rr: f64) -> (x: Dense<f64>[i], r: Dense<f64>[i], next: f64) {
        let q[i] = a[i, j] * p[j];
        let pq = p[i] * q[i];
        x[i] += rr / pq * p[i];
        r[i] += -(rr / pq) * q[i];
        next = r[i] * r[i]
    } }
    EXTREMES { fn extremes(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], x: Dense<f32>[j]) -> (least: Dense<f32>[i], at: Dense<i64>[i], last: i64) {
        least[i] min= a[i, j];
        at[i] = argmin(a[i, j], j);
        last = argmax(x[j] * a[i, j], i) if j != 1
    } }
    FUSED { fn fused(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], x: Dense<f32>[j, k], b: Dense<f32>[i, k], s: f32) -> h: Dense<f32>[i, k] {
        let t[i, k] = a[i, j] * x[j, k];
        let u[i, k] = s * t[i, k] + b[i, k];
        h[i, k] = max(u[i, k], u[i, k] / 4)
    } }
    SUMS { fn sums(a: {(i, j) -> (i : dense, j : compressed)}<bf16>[i, j], x: Dense<f32>[j]) -> (y: Dense<bf16>[i], s: f32, m: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j]) {
        y[i] += a[i, j] * x[j]; accumulator(f64);
        s = a[i, j] * x[j]; accumulator(f64);
        m[i, j] = a[i, j] > 0.5; accumulator(f32)
    } }
}

pub(crate) fn run(text: &str, operands: &[AnyOperand]) -> Vec<AnyOperand> {
    let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    kernel.run_all(operands).unwrap_or_else(|e| panic!("{text}: {e}\n{kernel}"))
}

pub(crate) fn csr<T: Evaluate>(shape: [usize; 2], entries: &[([usize; 2], T)]) -> SparseTensor<Csr, T> {
    SparseTensor::from_coo(shape, entries, Duplicates::Error).expect("a matrix")
}

pub(crate) fn dynamic<T: Evaluate>(matrix: &SparseTensor<Csr, T>) -> DynSparseTensor<T> {
    let encoding = encoding("(i, j) -> (i : dense, j : compressed)");
    let tensor = DynSparseTensor::from_coo(encoding, &matrix.shape(), &matrix.to_coo(), Duplicates::Error);
    tensor.expect("a matrix")
}

pub(crate) fn array<T: Evaluate, const RANK: usize>(shape: [usize; RANK], values: &[T]) -> (Dense<T, RANK>, DynOperand<T>) {
    let dynamic = DynOperand::dense(&shape, values.to_vec()).expect("as many values");
    (Dense::new(shape, values.to_vec()).expect("as many values"), dynamic)
}

pub(crate) fn same<T: Evaluate, const RANK: usize>(typed: &Dense<T, RANK>) -> AnyOperand
where
    AnyOperand: From<DynOperand<T>>,
{
    array(typed.shape(), typed.values()).1.into()
}

#[test]
fn a_layer_of_a_network_is_three_statements() {
    let a = csr([3, 3], &[([0, 1], 2.0), ([1, 0], -1.0), ([2, 2], 0.5), ([2, 0], 1.0)]);
    let (x, dynamic_x) = array([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let (w, dynamic_w) = array([2, 2], &[1.0, -1.0, 0.5, 2.0]);
    let h = layer(&a, &x, &w, &[0.25, -10.0]).expect("a layer");
    // Row 0 of a x is [6, 8], and times w it is [10, 10].
    assert_eq!(h.values(), [10.25, 0.0, 0.0, 0.0, 6.25, 0.0]);
    let bias = DynOperand::dense(&[2], vec![0.25f32, -10.0]).expect("two values");
    let all = [dynamic(&a).into(), dynamic_x.into(), dynamic_w.into(), bias.into()];
    assert_eq!(run(LAYER, &all), [same(&h)]);
    let mut given = Dense::filled([3, 2], 77.0).expect("memory");
    layer_into(&a, &x, &w, &[0.25, -10.0], &mut given).expect("a layer");
    assert_eq!(given, h);
}

#[test]
fn attention_over_stored_entries_is_one_function() {
    let edges = [[0, 0], [0, 2], [1, 1], [2, 0], [2, 1], [2, 2]];
    let s = csr([3, 3], &edges.map(|edge| (edge, true)));
    let values = |seed: usize| -> Vec<f64> { (0..6).map(|n| ((n * 7 + seed) % 5) as f64 - 2.0).collect() };
    let (q, dynamic_q) = array([3, 2], &values(0));
    let (key, dynamic_key) = array([3, 2], &values(3));
    let (v, dynamic_v) = array([3, 2], &values(1));
    let o = attention(&s, &q, &key, &v, 0.5).expect("an output");
    for i in 0..3 {
        let row: Vec<usize> = edges.iter().filter(|edge| edge[0] == i).map(|edge| edge[1]).collect();
        let score = |j: usize| 0.5 * (0..2).map(|k| q[[i, k]] * key[[j, k]]).sum::<f64>();
        let weights: Vec<f64> = row.iter().map(|j| score(*j).exp()).collect();
        for l in 0..2 {
            let expected = row.iter().zip(&weights).map(|(j, weight)| weight * v[[*j, l]]).sum::<f64>() / weights.iter().sum::<f64>();
            assert!((o[[i, l]] - expected).abs() < 1e-12, "{i} {l}: {} {expected}", o[[i, l]]);
        }
    }
    let all = [dynamic(&s).into(), dynamic_q.into(), dynamic_key.into(), dynamic_v.into(), DynOperand::Scalar(0.5).into()];
    let AnyOperand::F64(DynOperand::Dense { values, .. }) = &run(ATTENTION, &all)[0] else { panic!("an array") };
    assert!(values.iter().zip(o.values()).all(|(a, b)| (a - b).abs() < 1e-12));
}

#[test]
fn a_step_of_conjugate_gradients_updates_in_place() {
    let a = csr([2, 2], &[([0, 0], 4.0), ([0, 1], 1.0), ([1, 0], 1.0), ([1, 1], 3.0)]);
    let b = [1.0, 2.0];
    let (mut x, mut r) = (Dense::new([2], vec![0.0; 2]).expect("two"), Dense::new([2], b.to_vec()).expect("two"));
    let (mut p, mut rr) = (b.to_vec(), 5.0);
    for _ in 0..2 {
        let next = step_into(&a, &p, rr, &mut x, &mut r).expect("a step");
        p = r.values().iter().zip(&p).map(|(r, p)| r + next / rr * p).collect();
        rr = next;
    }
    assert!((x[[0]] - 1.0 / 11.0).abs() < 1e-12 && (x[[1]] - 7.0 / 11.0).abs() < 1e-12, "{x:?}");
    // Returned outputs start from zero.
    let (x, r, next) = step(&a, &b, 5.0).expect("a step");
    let expected: Vec<f64> = [6.0, 7.0].iter().map(|q| -(5.0 / 20.0) * q).collect();
    assert_eq!((x.values(), r.values()), (&[0.25, 0.5][..], &expected[..]));
    let all = [dynamic(&a).into(), DynOperand::dense(&[2], b.to_vec()).expect("two").into(), DynOperand::Scalar(5.0).into()];
    assert_eq!(run(STEP, &all), [same(&x), same(&r), DynOperand::Scalar(next).into()]);
}

#[test]
fn extrema_have_witnesses() {
    let nan = f32::NAN;
    let entries = [([0, 1], 3.0), ([0, 3], -2.0), ([0, 4], -2.0), ([2, 0], 5.0), ([3, 1], nan), ([3, 2], 0.0), ([4, 2], 0.0)];
    let a = csr([5, 5], &entries);
    let x = [1.0, 100.0, 1.0, -1.0, 1.0];
    let (least, at, last) = extremes(&a, &x).expect("witnesses");
    // The first of equal elements; elements that are not stored are not compared; a NaN is the extremum; an empty row returns
    // the largest number.
    assert_eq!(at.values(), [3, i64::MAX, 0, 1, 2]);
    assert_eq!(least.values()[1], f32::INFINITY);
    assert_eq!(last, 2);
    let all = [dynamic(&a).into(), DynOperand::dense(&[5], x.to_vec()).expect("five").into()];
    let outputs = run(EXTREMES, &all);
    assert_eq!(outputs[1..], [same(&at), DynOperand::Scalar(last).into()]);
}

#[test]
fn an_accumulator_has_a_name() {
    // In `f32` the small terms are lost: 2^25 + 1 is 2^25.
    let large = 33_554_432.0;
    let a = csr([2, 3], &[([0, 0], bf16::ONE), ([0, 1], bf16::ONE), ([0, 2], bf16::ONE), ([1, 1], bf16::from_f32(0.25))]);
    let x = [large, 1.0, -large];
    let (y, s, m) = sums(&a, &x).expect("sums");
    assert_eq!(y.values(), [bf16::ONE, bf16::from_f32(0.25)]);
    assert_eq!(s, 1.25);
    assert_eq!(m.values(), [true, true, true, false]);
    let all = [dynamic(&a).into(), DynOperand::dense(&[3], x.to_vec()).expect("three").into()];
    assert_eq!(run(SUMS, &all), [same(&y), DynOperand::Scalar(s).into(), dynamic(&m).into()]);
}

#[test]
fn statements_have_loops_of_their_own_or_share_the_outermost_one() {
    let kernel: SparseKernel = LAYER.parse().expect("a kernel");
    let statements: Vec<_> = kernel.kernels().map(|kernel| kernel.statement.as_str()).collect();
    // A bias for each column is not an element at the same position.
    assert_eq!(statements, ["t[i, k] = a[i, j] * x[j, k]", "u[i, l] = t[i, k] * w[k, l]", "h[i, l] = max(u[i, l] + bias[l], 0)"]);
    // All of them run row by row.
    let loops = kernel.to_string();
    assert!(loops.starts_with("t[i, k] = a[i, j] * x[j, k]; u[i, l] = t[i, k] * w[k, l]; h[i, l] = max(u[i, l] + bias[l], 0):\nfor i in 0..size(i) {\n"), "{kernel}");
    assert_eq!(kernel.run::<f32>(&[]), Err(RunError::Several));
    assert_eq!(kernel.run_all(&[]), Err(RunError::Count { expected: 4, found: 0 }));
    let wrong = [DynOperand::Scalar(1i64).into(), DynOperand::Scalar(1f32).into(), DynOperand::Scalar(1f32).into(), DynOperand::Scalar(1f32).into()];
    assert!(kernel.run_all(&wrong).is_err());
}

#[test]
fn sizes_agree_in_all_statements() {
    let error = layer(&csr::<f32>([3, 3], &[]), &Dense::filled([3, 2], 1.0).expect("memory"), &Dense::filled([3, 2], 1.0).expect("memory"), &[0.0; 2][..]);
    assert_eq!(error.expect_err("sizes").to_string(), "index `k` is 3 in `w`, but 2 in dimension 1 of `x`");
}

#[test]
fn mistakes_are_under_their_tokens() {
    for (statements, message) in [
        ("y[i] = t[i]; let t[i] = a[i, j]", "34: `t` is read before it is computed (help: move the statement that computes it before this one)"),
        ("let t[i] = t[i] + a[i, j]; y[i] = t[i]", "38: `t` is read while it is computed (help: `+=` adds to what an output holds; other values come from a temporary: `let t[i] = ..`)"),
        ("a[i, j] = x[j]; y[i] = a[i, j]", "27: `a` is an operand, and keeps its values (help: compute a temporary, `let t[i] = ..`, or name an output: `-> y: Dense<f64>[i]`)"),
        ("y[i] = a[i, j]; y[i] += a[i, j]", "43: `y` is computed twice (help: compute the first one as a temporary: `let t[i] = ..`)"),
        ("let t[i] = a[i, j]; z[i] = t[i]; y[i] = t[i]", "47: `z` is not declared (help: a temporary is declared where it is computed: `let z`)"),
        ("let t[i] = a[i, j]; y[i] = a[i, j]", "31: the temporary `t` is not read (help: read it in a later statement, or name it as an output of the function)"),
        ("let t[i] = a[i, j]; let t[j] = x[j]; y[i] = t[i]", "51: `t` is declared twice (help: give one of them another name)"),
        ("let t[i] = a[i, j]; y[i] = u[i]", "54: unknown operand `u` (help: a statement reads operands, and what was computed before it: `a`, `x`, `t`)"),
        ("let x[i] = a[i, j]; y[i] = x[i]", "31: `x` is declared twice (help: give one of them another name)"),
        ("y[i] = argmin(a[i, j], j)", "27: `y` is an index, but has elements of type `f64` (help: give `y` elements of type `i64`)"),
        ("y[i] = a[i, j]; accumulator(Complex<f64>)", "55: values of `Complex<f64>` do not become elements of `f64` (help: compute a real part in a function of your own)"),
        ("y[i] = a[i, j]; accumulator(f32)", "8: `a` has elements of type `f64`, but `y` is computed in `f32`, which cannot represent all of their values"),
        ("let t: Csr[i] = a[i, j]; y[i] = t[i]", "34: `Csr` is one value, and has no dimensions (help: write the type of the elements after the encoding: `Csr<f64>`)"),
        ("y[i] = a[i, j]; accumulator(f32); accumulator(f64)", "61: a statement has one accumulator (help: remove one of them)"),
    ] {
        let text = format!("fn f(a: {{(i, j) -> (i : dense, j : compressed)}}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {{ {statements} }}");
        let error = text.parse::<SparseKernel>().expect_err("a mistake").to_string();
        let (_, expected) = message.split_once(": ").expect("a location");
        assert!(error.contains(expected), "{statements}: {error}");
        assert_eq!(error.matches("help").count(), message.matches("help").count().max(1), "{error}");
    }
}

#[test]
fn elements_are_finished_where_they_are_computed() {
    let fused = |text: &str| -> (usize, String) {
        let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        (kernel.kernels().count(), kernel.kernels().last().expect("a kernel").to_string())
    };
    let (count, loops) = fused(FUSED);
    assert!(count == 1 && loops.contains("max("), "{loops}");
    let text = |first: &str, second: &str| format!("fn f(a: {{(i, j) -> (i : dense, j : compressed)}}<f64>[i, j], x: Dense<f64>[j], z: Dense<f64>[i], s: f64) -> y: Dense<f64>[i] {{ {first}; {second} }}");
    for (first, second, expected) in [
        ("let t[i] = a[i, j] * x[j]", "y[i] = s * t[i] + z[i]", 1),
        ("let t[i] += a[i, j] * x[j]", "y[i] = select(t[i], z[i] / t[i], -t[i])", 1),
        ("let t[i] max= a[i, j]; parallel(i)", "y[i] = exp(t[i])", 1),
        ("let t[i] = a[i, j] * x[j]; let u[i] = t[i] * 2", "y[i] = u[i] - z[i]", 1),
        // Another element is read, the index, the temporary twice, or the previous contents.
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[i] + t[i - 1]", 2),
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[i] * i", 2),
        ("let t[i] = a[i, j] * x[j]; let u[i] = t[i] * 2", "y[i] = u[i] - t[i]", 2),
        ("let t[i] = a[i, j] * x[j]", "y[i] += t[i]", 2),
        ("let t[i] = a[i, j] * x[j]", "y[i] = t[i] if z[i] > 0", 2),
        ("let t[i] = a[j, i] * x[j]", "y[i] = t[i] + 1", 2),
        ("let t: Dense<f32>[i] = s; size(i, 2); accumulator(f64)", "y[i] = t[i]", 2),
    ] {
        let text = text(first, second);
        assert_eq!(fused(&text).0, expected, "{text}\n{}", text.parse::<SparseKernel>().expect("a kernel"));
    }
}

#[test]
fn fused_statements_compute_what_they_compute_alone() {
    let entries: Vec<_> = (0..60).filter(|n| n % 7 < 4).map(|n| ([n / 10, n % 10], (n % 5) as f32 - 2.0)).collect();
    let a = csr([6, 10], &entries);
    for columns in [1, 3, 8, 37, 64] {
        let values = |seed: usize, len: usize| -> Vec<f32> { (0..len).map(|n| ((n * 3 + seed) % 7) as f32 - 3.0).collect() };
        let (x, dynamic_x) = array([10, columns], &values(1, 10 * columns));
        let (b, dynamic_b) = array([6, columns], &values(2, 6 * columns));
        let h = fused(&a, &x, &b, 0.5).expect("an output");
        let mut given = Dense::filled([6, columns], 77.0).expect("memory");
        fused_into(&a, &x, &b, 0.5, &mut given).expect("an output");
        assert_eq!(given, h);
        for (at, value) in h.values().iter().enumerate() {
            let (i, k) = (at / columns, at % columns);
            let sum: f32 = entries.iter().filter(|(at, _)| at[0] == i).map(|(at, value)| value * x[[at[1], k]]).sum();
            let sum = 0.5 * sum + b[[i, k]];
            assert_eq!(*value, if sum > 0.0 { sum } else { sum.min(0.0) / 4.0 }, "{i} {k} of {columns}");
        }
        let all = [dynamic(&a).into(), dynamic_x.into(), dynamic_b.into(), DynOperand::Scalar(0.5f32).into()];
        assert_eq!(run(FUSED, &all), [same(&h)]);
    }
}

#[test]
fn outputs_are_computed() {
    let text = "fn f(x: Dense<f64>[j]) -> (y: Dense<f64>[j], s: f64) { y[j] = 2 * x[j] }";
    let error = text.parse::<SparseKernel>().expect_err("a mistake").to_string();
    assert_eq!(error, "1:46: the output `s` is not computed (help: add a statement `s = ..`, or leave out the output)");
}

/// A statement, and the values that it reads.
pub(crate) struct Written {
    pub(crate) text: &'static str,
    pub(crate) reads: &'static [&'static str],
    pub(crate) target: &'static [&'static str],
}

/// Statements that compute `t`, that compute `s` from it, and that compute `y` from both.
const STATEMENTS: [&[Written]; 3] = [
    &[
        Written { text: "t[i, j] = a[i, j] * b[i, j]", reads: &["a", "b"], target: &["i", "j"] },
        Written { text: "t[i, j] = a[i, j] - 2 * b[i, j]", reads: &["a", "b"], target: &["i", "j"] },
        Written { text: "t[i, j] = a[i, j] * x[j] if b[i, j] != 0", reads: &["a", "b", "x"], target: &["i", "j"] },
        Written { text: "t[j, i] max= a[i, j] + i", reads: &["a"], target: &["j", "i"] },
        Written { text: "t[i, k] min= min.plus(a[i, j], b[j, k])", reads: &["a", "b"], target: &["i", "k"] },
        Written { text: "t[i, k] = plus.times(a[i, j], b[j, k])", reads: &["a", "b"], target: &["i", "k"] },
    ],
    &[
        Written { text: "s[i] += t[i, j] * x[j]", reads: &["t", "x"], target: &["i"] },
        Written { text: "s[i] = 3 * x[i] - x[i] * 2", reads: &["x"], target: &["i"] },
        Written { text: "s[j] max= t[i, j]", reads: &["t"], target: &["j"] },
        Written { text: "s[i] = 1 if t[i, i] > 0", reads: &["t"], target: &["i"] },
        Written { text: "s[j] *= t[i, j] - a[i, j]", reads: &["t", "a"], target: &["j"] },
    ],
    &[
        Written { text: "y[i, j] = max(t[i, j], 2) - t[i, j]", reads: &["t"], target: &["i", "j"] },
        Written { text: "y[i, j] = t[i, j] * s[j]", reads: &["t", "s"], target: &["i", "j"] },
        Written { text: "y[i, j] = t[i, j] + s[i] * a[i, j]", reads: &["t", "s", "a"], target: &["i", "j"] },
        Written { text: "y[j, i] = b[i, j] + t[j, i] * x[i] if s[i] > 0", reads: &["b", "t", "x", "s"], target: &["j", "i"] },
        Written { text: "y[i, j] = t[i, j] * t[j, i] - s[i] + s[j]", reads: &["t", "s"], target: &["i", "j"] },
    ],
];

pub(crate) const MATRICES: [&str; 6] = [
    "Dense",
    "{(i, j) -> (i : dense, j : compressed)}",
    "{(i, j) -> (j : dense, i : compressed)}",
    "{(i, j) -> (i : compressed, j : compressed)}",
    "{(i, j) -> (i : compressed(nonunique), j : singleton)}",
    "{(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}",
];

pub(crate) const VECTORS: [&str; 2] = ["Dense", "{(i) -> (i : compressed)}"];

/// A random operand of the type.
fn drawn(tape: &mut Tape<'_>, ty: &str, shape: &[usize]) -> DynOperand<i64> {
    let total: usize = shape.iter().product();
    let values: Vec<i64> = (0..total).map(|_| if tape.once_in(2) { 0 } else { tape.below(9) as i64 - 4 }).collect();
    if ty == "Dense" {
        return DynOperand::dense(shape, values).expect("as many values");
    }
    let entries = values.iter().enumerate().filter(|(_, value)| **value != 0);
    let entries: Vec<_> = entries.map(|(at, value)| (index(at, shape), *value)).collect();
    let encoding = encoding(ty.trim_matches(['{', '}']));
    DynSparseTensor::from_coo(encoding, shape, &entries, Duplicates::Error).expect("a tensor").into()
}

/// A function of statements that compute the named values, one from each list, compared with each statement run alone. `types`
/// are those of `a`, of `b`, and of the computed matrices and vectors, each of which is an output once in `kept` times. The
/// indices are dimensions of the parameters, or have sizes if they are `sized`. Returns the loops of the function, if there is
/// one.
pub(crate) fn compare(tape: &mut Tape<'_>, lists: &[(&'static str, &'static [Written])], types: [&[&'static str]; 4], kept: usize, sized: bool) -> Result<Option<String>, TestCaseError> {
    let size = 1 + tape.below(6);
    let mut known: Vec<(&str, &str, Vec<usize>, DynOperand<i64>)> = Vec::new();
    for (name, written, rank) in [("a", types[0], 2), ("b", types[1], 2), ("x", &["Dense"][..], 1)] {
        let ty = tape.pick(written);
        let shape = vec![size; rank];
        let operand = drawn(tape, ty, &shape);
        known.push((name, ty, shape, operand));
    }
    let dims = |name: &str, rank: usize| match (name, rank) {
        _ if sized => (0..rank).map(|dim| format!("{name}{dim}")).collect::<Vec<_>>().join(", "),
        ("b", _) => "j, k".to_string(),
        (_, 1) => "i".to_string(),
        _ => "i, j".to_string(),
    };
    let parameter = |(name, ty, shape, _): &(&str, &str, Vec<usize>, DynOperand<i64>)| format!("{name}: {ty}<i64>[{}]", dims(name, shape.len()));
    let head: Vec<String> = known.iter().map(parameter).collect();
    let operands: Vec<AnyOperand> = known.iter().map(|(.., operand)| operand.clone().into()).collect();
    let (mut body, mut outputs) = (Vec::new(), Vec::new());
    for (number, (name, statements)) in lists.iter().copied().enumerate() {
        let written = &statements[tape.below(statements.len())];
        let ty = if written.target.len() == 2 { tape.pick(types[2]) } else { tape.pick(types[3]) };
        let target = format!("{name}: {ty}<i64>[{}]", written.target.join(", "));
        let sizes: Vec<String> = ["i", "j", "k"].iter().filter(|index| sized && (written.text.contains(&format!("[{index}")) || written.text.contains(&format!(", {index}]")))).map(|index| format!("; size({index}, {size})")).collect();
        let statement = format!("{}{}", written.text, sizes.join(""));
        // Alone: a function of the values that it reads.
        let reads: Vec<_> = written.reads.iter().map(|read| known.iter().find(|(name, ..)| name == read).expect("known")).collect();
        let parameters: Vec<String> = reads.iter().map(|read| parameter(read)).collect();
        let alone = format!("fn f({}) -> {target} {{ {statement} }}", parameters.join(", "));
        let kernel: SparseKernel = alone.parse().unwrap_or_else(|e| panic!("{alone}: {e}"));
        let arguments: Vec<_> = reads.iter().map(|(.., operand)| operand.clone()).collect();
        let output = kernel.run(&arguments).unwrap_or_else(|e| panic!("{alone}: {e}"));
        // A temporary is declared where it is computed, or is also an output.
        let temporary = number + 1 < lists.len() && !tape.once_in(kept);
        match temporary {
            true => {
                let computed = written.text.split_once(']').expect("a target").1;
                body.push(format!("let {target}{computed}{}", sizes.join("")));
            }
            false => {
                body.push(statement);
                outputs.push((target, output.clone()));
            }
        }
        known.push((name, ty, vec![size; written.target.len()], output));
    }
    let targets: Vec<&str> = outputs.iter().map(|(target, _)| target.as_str()).collect();
    let text = format!("fn f({}) -> ({}) {{ {} }}", head.join(", "), targets.join(", "), body.join("; "));
    let kernel: SparseKernel = match text.parse() {
        Ok(kernel) => kernel,
        // A value that no later statement reads must be an output.
        Err(error) => {
            let error = tensor_layout::ParseError::to_string(&error);
            prop_assert!(error.contains("is not read"), "{text}\n{error}");
            return Ok(None);
        }
    };
    let found = kernel.run_all(&operands).unwrap_or_else(|e| panic!("{text}: {e}\n{kernel}"));
    for (found, (target, expected)) in found.iter().zip(&outputs) {
        let AnyOperand::I64(found) = found else { panic!("{text}") };
        prop_assert_eq!(entries(found), entries(expected), "{}\n{}{}", target, text, kernel);
    }
    prop_assert_eq!(found.len(), outputs.len());
    Ok(Some(kernel.to_string()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(250), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn statements_compute_what_each_computes_alone(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let lists = [("t", STATEMENTS[0]), ("s", STATEMENTS[1]), ("y", STATEMENTS[2])];
        compare(&mut Tape::new(&bytes), &lists, [&MATRICES, &MATRICES, &MATRICES, &VECTORS], 2, true)?;
    }
}
