//! `cast(..)`: operands whose values the type of the computation does not hold, converted as Rust's `as` does.

use crate::parsed::parsed;
use crate::tape::Tape;
use half::bf16;
use proptest::prelude::*;
use tensor_layout::num_complex::Complex;
use tensor_layout::sparse::{Cast, Duplicates, DynSparseTensor, Encoding, SparseTensor};
use tensor_layout::sparsify::{AnyOperand, Dense, DynOperand, Evaluate, SparseKernel, WideOperand};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
}

/// Kernels of the macro, and their texts.
macro_rules! kernels {
    ($($name:ident $text:ident { $($kernel:tt)* })*) => {
        $( sparse_kernel! { $($kernel)* } const $text: &str = stringify!($($kernel)*); )*
    };
}

kernels! {
    product PRODUCT { fn product(a: Csr<f64>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] += cast(a[i, j]) * x[j] } }
    columns COLUMNS { fn columns(a: Csr<f32>[i, j], x: Dense<f64>[j, k], s: f64) -> y: Dense<f32>[i, k] { y[i, k] += a[i, j] * cast(s * x[j, k]) } }
    sorted SORTED { fn sorted(a: Csr<i32>[i, j], b: Csc<f64>[i, j]) -> c: Csr<i32>[i, j] { c[i, j] = a[i, j] + cast(b[i, j]) } }
    wrapped WRAPPED { fn wrapped(a: Csr<i64>[i, j]) -> c: Csr<i32>[i, j] { c[i, j] = cast(a[i, j]) if cast(a[i, j]) != 3 } }
    halves HALVES { fn halves(a: Csr<f64>[i, j], b: Csr<bf16>[i, j]) -> c: Csr<bf16>[i, j] { c[i, j] = cast(a[i, j]) + b[i, j] } }
    turned TURNED { fn turned(a: Csr<i64>[i, j], s: Complex<f64>) -> c: Csr<Complex<f64>>[i, j] { c[i, j] = s * cast(a[i, j]) } }
    narrowed NARROWED { fn narrowed(a: Csr<Complex<f64>>[i, j]) -> c: Csr<Complex<f32>>[i, j] { c[i, j] = 2 * cast(a[i, j]) } }
    wide WIDE { fn wide(a: Csr<f32>[i, j]) -> y: Dense<f64>[i] { y[i] += cast(a[i, j]) + a[i, j] } }
    counts COUNTS { fn counts(a: Csr<f64>[i, j]) -> n: Dense<i32>[i] { n[i] = stored(a[i, j]) } }
    pairs PAIRS { fn pairs(m: Csr<f64>[i, k], a: Csr<bf16>[i, j], b: Csc<Complex<f32>>[j, k]) -> c: Csr<Complex<f32>>[i, k] { c[i, k] = plus.pair(a[i, j], b[j, k]) if stored(m[i, k]) != 0 } }
    several SEVERAL { fn several(a: Csr<f64>[i, j]) -> (y: Dense<f32>[i], n: Dense<i32>[i]) { let t: Dense<f64>[i, j] = 2 * a[i, j]; y[i] += cast(t[i, j]); n[i] += cast(a[i, j]) } }
}


/// A row-major array as a tensor that stores what is not zero, for the macro and for run time.
fn matrix<E: Encoding<Index = [usize; 2]>, T: Evaluate>(values: &[T]) -> (SparseTensor<E, T>, AnyOperand)
where
    AnyOperand: From<DynSparseTensor<T>>,
{
    let typed = SparseTensor::<E, T>::from_dense(SHAPE, values).expect("a matrix");
    (typed.clone(), DynSparseTensor::from(typed).into())
}

const SHAPE: [usize; 2] = [3, 4];

/// The outputs at run time.
fn run(text: &str, operands: &[AnyOperand]) -> Vec<AnyOperand> {
    let encodings = [("Csr", Csr::SPEC), ("Csc", Csc::SPEC)];
    parsed(text, &encodings).run_all(operands).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn vector<T: Evaluate>(shape: &[usize], values: &[T]) -> DynOperand<T> {
    DynOperand::dense(shape, values.to_vec()).expect("all values")
}

/// Values that `f32` and `i32` do not hold, among others.
fn value(tape: &mut Tape<'_>) -> f64 {
    match tape.below(8) {
        0 | 1 => 0.0,
        2 => 16_777_217.0,
        3 => -2.75,
        4 => 1e10,
        5 => 0.1,
        _ => tape.below(9) as f64 - 4.0,
    }
}

/// The sum over `j`, in the order in which four partial sums are added.
fn expected<T: Copy + std::ops::Mul<Output = T> + PartialEq>(all: &[f64], term: impl Fn(usize, f64) -> T, sum: impl Fn(&[T]) -> T) -> Vec<T> {
    all.chunks(SHAPE[1]).map(|row| sum(&row.iter().enumerate().filter(|(_, a)| **a != 0.0).map(|(j, a)| term(j, *a)).collect::<Vec<_>>())).collect()
}

/// The nearest `f64` would be a tie, which rounds down.
#[test]
fn large_integers_are_rounded_once() {
    let (above_tie, expected) = ((1_i64 << 62) + (1 << 54) + 1, 2_f64.powi(62) + 2_f64.powi(55));
    assert_eq!(Cast::<bf16>::cast(above_tie).to_f64(), expected);
    assert_eq!(Cast::<bf16>::cast(-above_tie).to_f64(), -expected);
    assert_eq!(Cast::<bf16>::cast(above_tie as u64).to_f64(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn values_are_converted_as_by_as(bytes in proptest::collection::vec(any::<u8>(), 200)) {
        let tape = &mut Tape::new(&bytes);
        let len = SHAPE[0] * SHAPE[1];
        let a: Vec<f64> = (0..len).map(|_| value(tape)).collect();
        let b: Vec<f64> = (0..len).map(|_| value(tape)).collect();

        let x: Vec<f32> = (0..4).map(|_| tape.below(5) as f32).collect();
        let (typed, dynamic) = matrix::<Csr, f64>(&a);
        let y = product(&typed, &x[..]).expect("sizes agree");
        // At most four terms: each is a partial sum of its own.
        let sums = expected(&a, |j, a| a as f32 * x[j], |terms| {
            let mut sums = [0.0f32; 4];
            terms.iter().enumerate().for_each(|(at, term)| sums[at % 4] += term);
            (sums[0] + sums[1]) + (sums[2] + sums[3])
        });
        for (found, sum) in y.values().iter().zip(&sums) {
            prop_assert!((found - sum).abs() <= 1e-6 * sum.abs().max(1.0) * 4.0, "{found} {sum}");
        }
        prop_assert_eq!(run(PRODUCT, &[dynamic.clone(), vector(&[4], &x).into()]), [vector(&[3], y.values()).into()]);

        let (counts, dynamic_counts) = matrix::<Csr, i32>(&a.iter().map(|a| *a as i32).collect::<Vec<_>>());
        let (columns, dynamic_columns) = matrix::<Csc, f64>(&b);
        let c = sorted(&counts, &columns).expect("sizes agree");
        let added: Vec<i32> = a.iter().zip(&b).map(|(a, b)| (*a as i32).wrapping_add(*b as i32)).collect();
        prop_assert_eq!(c.to_dense().expect("memory"), added);
        prop_assert_eq!(run(SORTED, &[dynamic_counts, dynamic_columns]), [DynSparseTensor::from(c).into()]);

        let long: Vec<i64> = a.iter().map(|a| (*a as i64) << tape.below(40)).collect();
        let (typed_long, dynamic_long) = matrix::<Csr, i64>(&long);
        let c = wrapped(&typed_long).expect("sizes agree");
        let kept: Vec<i32> = long.iter().map(|a| *a as i32).map(|a| if a == 3 { 0 } else { a }).collect();
        prop_assert_eq!(c.to_dense().expect("memory"), kept);
        prop_assert_eq!(run(WRAPPED, std::slice::from_ref(&dynamic_long)), [DynSparseTensor::from(c).into()]);

        let (rounded, dynamic_rounded) = matrix::<Csr, bf16>(&b.iter().map(|b| bf16::from_f64(*b)).collect::<Vec<_>>());
        let c = halves(&typed, &rounded).expect("sizes agree");
        let sums: Vec<bf16> = a.iter().zip(&b).map(|(a, b)| bf16::from_f32(*a as f32 + bf16::from_f64(*b).to_f32())).collect();
        prop_assert_eq!(c.to_dense().expect("memory"), sums);
        prop_assert_eq!(run(HALVES, &[dynamic.clone(), dynamic_rounded]), [DynSparseTensor::from(c).into()]);

        let s = Complex::new(0.5, -2.0);
        let c = turned(&typed_long, s).expect("sizes agree");
        let products: Vec<_> = long.iter().map(|a| if *a == 0 { Complex::new(0.0, 0.0) } else { s * Complex::new(*a as f64, 0.0) }).collect();
        prop_assert_eq!(c.to_dense().expect("memory"), products);
        prop_assert_eq!(run(TURNED, &[dynamic_long, DynOperand::Scalar(s).into()]), [DynSparseTensor::from(c).into()]);

        let complex: Vec<_> = a.iter().zip(&b).map(|(a, b)| Complex::new(*a, *b)).collect();
        let (typed_complex, dynamic_complex) = matrix::<Csr, Complex<f64>>(&complex);
        let c = narrowed(&typed_complex).expect("sizes agree");
        let doubled: Vec<_> = complex.iter().map(|c| Complex::new(2.0, 0.0) * Complex::new(c.re as f32, c.im as f32)).collect();
        prop_assert_eq!(c.to_dense().expect("memory"), doubled);
        prop_assert_eq!(run(NARROWED, &[dynamic_complex]), [DynSparseTensor::from(c).into()]);

        // A type that holds all values is converted exactly, with and without `cast`.
        let (short, dynamic_short) = matrix::<Csr, f32>(&a.iter().map(|a| *a as f32).collect::<Vec<_>>());
        let y = wide(&short).expect("sizes agree");
        prop_assert_eq!(run(WIDE, std::slice::from_ref(&dynamic_short)), [vector(&[3], y.values()).into()]);

        let x: Vec<f64> = (0..8).map(|_| value(tape)).collect();
        let y = columns_of(&short, &x);
        let twin = run(COLUMNS, &[dynamic_short, vector(&[4, 2], &x).into(), DynOperand::Scalar(0.1f64).into()]);
        prop_assert_eq!(twin, [vector(&[3, 2], y.values()).into()]);
        for i in 0..3 {
            for k in 0..2 {
                let terms = (0..4).map(|j| a[4 * i + j] as f32 * (0.1f64 as f32 * x[2 * j + k] as f32));
                let (sum, most) = terms.fold((0.0f32, 0.0f32), |(sum, most), term| (sum + term, most + term.abs()));
                prop_assert!((y[[i, k]] - sum).abs() <= 1e-6 * most);
            }
        }

        let (y, n) = several(&typed).expect("sizes agree");
        let twin = run(SEVERAL, &[dynamic]);
        prop_assert_eq!(twin, [vector(&[3], y.values()).into(), vector(&[3], n.values()).into()]);
        let sums: Vec<i32> = a.chunks(4).map(|row| row.iter().fold(0i32, |sum, a| sum.wrapping_add(*a as i32))).collect();
        prop_assert_eq!(n.values(), sums);
    }
}

fn columns_of(a: &SparseTensor<Csr, f32>, x: &[f64]) -> Dense<f32, 2> {
    let x = Dense::new([4, 2], x.to_vec()).expect("all values");
    columns(a, &x, 0.1).expect("sizes agree")
}

#[test]
fn an_operand_is_given_as_it_is_converted() {
    let kernel: SparseKernel = "fn f(a: Dense<f64>[i]) -> y: Dense<f32>[i] { y[i] = cast(a[i]) }".parse().expect("a kernel");
    let y = kernel.run_mixed::<f32>(&[WideOperand::cast(&vector(&[1], &[0.1f64]))], &[]);
    assert_eq!(y, Ok(vector(&[1], &[0.1f32])));
}

#[test]
fn mistakes_say_what_to_write() {
    let error = |statement: &str| {
        let text = format!("fn f(a: Dense<f64>[i], c: Dense<Complex<f64>>[i]) -> y: Dense<f32>[i] {{ {statement} }}");
        text.parse::<SparseKernel>().expect_err("a mistake").to_string()
    };
    // An operand that is also read without `cast` must fit.
    let without = error("y[i] = cast(a[i]) + cast(cast(a[i])) * a[i]");
    assert!(without.contains("`a` has elements of type `f64`, but `y` is computed in `f32`"), "{without}");
    assert!(error("y[i] = cast(c[i])").contains("`c` has elements of type"));
    assert!(error("y[i] = cast(a[i], f32)").contains("`; accumulator(f64)` names another"));
}

#[test]
fn what_must_only_be_stored_has_any_type() {
    // The values, among them a zero and one that is not a number, do not count.
    let entries = [([0, 0], 0.5), ([0, 3], f64::NAN), ([2, 1], 0.0), ([2, 2], 1e300)];
    let a = SparseTensor::<Csr, f64>::from_coo(SHAPE, &entries, Duplicates::Error).expect("a matrix");
    let n = counts(&a).expect("memory");
    assert_eq!(n.values(), [2, 0, 2]);
    assert_eq!(run(COUNTS, &[DynSparseTensor::from(a.clone()).into()]), [vector(&[3], n.values()).into()]);
    let narrow = a.clone().map(bf16::from_f64);
    let columns = [([0, 1], Complex::ZERO), ([3, 1], Complex::I), ([3, 2], Complex::I)];
    let b = SparseTensor::<Csc, Complex<f32>>::from_coo([4, 4], &columns, Duplicates::Error).expect("a matrix");
    let mask = SparseTensor::<Csr, f64>::from_coo(SHAPE, &[([0, 1], 0.0), ([2, 1], 1.0)], Duplicates::Error).expect("a mask");
    let c = pairs(&mask, &narrow, &b).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 1], Complex::new(2.0, 0.0))]);
    let operands = [DynSparseTensor::from(mask).into(), DynSparseTensor::from(narrow).into(), DynSparseTensor::from(b).into()];
    assert_eq!(run(PAIRS, &operands), [DynSparseTensor::from(c).into()]);
    // A condition on the value needs the value.
    let text = "fn f(a: Dense<f64>[i]) -> n: u8 { n = stored(a[i]) if a[i] > 0 }";
    let error = text.parse::<SparseKernel>().expect_err("a mistake").to_string();
    assert!(error.contains("`a` has elements of type `f64`"), "{error}");
}
