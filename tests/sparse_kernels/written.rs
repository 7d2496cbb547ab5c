//! Literal functions and values in a statement.

use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparsify::{Dense, DynFunction, DynOperand, KernelError, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Vector = (i) -> (i : compressed);
}

const NOTHING: f64 = -1.5;

fn zero() -> f64 {
    0.0
}

sparse_kernel! {
    fn constant(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(f64::max, f64::NEG_INFINITY, a[i, j]) }
    fn own_constant(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(f64::max, NOTHING, a[i, j]) }
    fn number(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(f64::hypot, 0, a[i, j]) }
    fn expression(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(f64::min, 2.0 * 2.5, a[i, j]) }
    fn function(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(f64::max, zero, a[i, j]) }
    fn closures(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = reduce(|x, y| if x <= y { y } else { x }, || 1.0, a[i, j]) }
    fn columns(a: Csr<f64>[i, j]) -> y: Dense<f64>[j] { y[j] = reduce(f64::min, f64::INFINITY, a[i, j]) }
    fn sparse(a: Csr<f64>[i, j]) -> y: Vector<f64>[i] { y[i] = reduce(f64::max, -1.5, a[i, j]) }
    fn whole(a: Vector<i64>[i]) -> s: i64 { s = reduce(i64::max, -9_007_199_254_740_993, a[i]) }
    fn r#type(r#in: Vector<f64>[i], r#mod: Dense<f64>[i]) -> r#fn: f64 { r#fn = r#in[i] * r#mod[i] }
    fn reserved(a: Dense<f64>[r#try], r#virtual: Dense<f64>[r#yield]) -> s: f64 { s += a[r#try] * r#virtual[r#yield] }
    fn internal(life: Dense<f64>[i], output: Csr<f64>[i, j], kernel: Dense<f64>[j], rows: f64) -> first: Dense<f64>[i] {
        first[i] += life[i] * output[i, j] * kernel[j] * rows;
        parallel(i)
    }
    fn made(made: Csr<f64>[i, j], s: f64, t: f64) -> values: Csr<f64>[i, j] { values[i, j] = made[i, j] * s - t * made[i, j] }
    fn taken(size_i: Dense<f64>[i], b: Dense<f64>[i_]) -> s: f64 { s += size_i[i] * b[i_] }
    fn nothing() -> y: Dense<f64>[i] { y[i] = i; size(i, 4) }
    fn absent(a: Vector<f64>[i]) -> y: Dense<f64>[i] { y[i] = unary(a[i], present = |x| x * 2.0, absent = 0.5) }
}

/// `[[0, 3, 4], [0, 0, 0]]`
fn matrix() -> SparseTensor<Csr, f64> {
    let entries = [([0, 1], 3.0), ([0, 2], 4.0)];
    SparseTensor::from_coo([2, 3], &entries, Duplicates::Error).expect("a matrix")
}

#[test]
fn an_identity_is_a_value_or_a_function() {
    let a = matrix();
    type Kernel = fn(&SparseTensor<Csr, f64>) -> Result<Dense<f64, 1>, KernelError>;
    let none = f64::NEG_INFINITY;
    let kernels: [(Kernel, [f64; 2]); 6] = [
        (constant, [4.0, none]),
        (own_constant, [4.0, NOTHING]),
        (number, [5.0, 0.0]),
        (expression, [3.0, 5.0]),
        (function, [4.0, 0.0]),
        (closures, [4.0, 1.0]),
    ];
    for (nth, (kernel, expected)) in kernels.into_iter().enumerate() {
        assert_eq!(kernel(&a).expect("memory").values(), expected, "kernel {nth}");
    }
    assert_eq!(columns(&a).expect("memory").values(), [f64::INFINITY, 3.0, 4.0]);
    let y = sparse(&a).expect("memory");
    assert_eq!((y.coordinates(0), y.values()), (&[0][..], &[4.0][..]));
    let none = SparseTensor::from_coo([3], &[], Duplicates::Error).expect("a vector");
    assert_eq!(whole(&none).expect("memory"), -9_007_199_254_740_993);
    let a = SparseTensor::from_coo([3], &[([1], 4.0)], Duplicates::Error).expect("a vector");
    assert_eq!(absent(&a).expect("memory").values(), [0.5, 8.0, 0.5]);
}

#[test]
fn names_may_be_those_of_what_is_made() {
    let a = matrix();
    let y = internal(&[1.0, 2.0], &a, &[0.0, 10.0, 100.0], 2.0).expect("memory");
    assert_eq!(y.values(), [860.0, 0.0]);
    assert_eq!(made(&a, 3.0, 1.0).expect("memory").values(), [6.0, 8.0]);
    assert_eq!(taken(&[1.0, 2.0, 3.0], &[10.0]), Ok(60.0));
    assert_eq!(nothing().expect("memory").values(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn names_may_be_keywords() {
    assert_eq!(reserved(&[1.0, 2.0], &[3.0]), Ok(9.0));
    let a = SparseTensor::from_coo([3], &[([1], 4.0)], Duplicates::Error).expect("a vector");
    assert_eq!(r#type(&a, &[1.0, 2.0, 3.0]), Ok(8.0));
}

#[test]
fn at_run_time_values_need_not_be_given() {
    let a = DynOperand::dense(&[0], Vec::<f64>::new()).expect("no values");
    let larger: DynFunction<f64> = |x| x[0].max(x[1]);
    let run = |identity: &str, functions: &[(&str, DynFunction<f64>)]| {
        let text =
            format!("fn f(a: Dense<f64>[i]) -> s: f64 {{ s = reduce(max, {identity}, a[i]) }}");
        let kernel: SparseKernel = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let functions: Vec<_> = [("max", larger)].iter().chain(functions).copied().collect();
        kernel.run_with(std::slice::from_ref(&a), &functions)
    };
    for (text, value) in [
        ("0", 0.0),
        ("-1.5", -1.5),
        ("f64::NEG_INFINITY", f64::NEG_INFINITY),
        ("f32::MAX", f32::MAX.into()),
    ] {
        assert_eq!(run(text, &[]), Ok(DynOperand::Scalar(value)), "{text}");
    }
    let zero: DynFunction<f64> = |_| 0.25;
    assert_eq!(run("zero", &[("zero", zero)]), Ok(DynOperand::Scalar(0.25)));
    assert_eq!(
        run("ZERO", &[]).expect_err("not given").to_string(),
        "the function `ZERO` is not given"
    );
}
