//! Minima and maxima of values that include NaN, infinities, and zeros of either sign.

use crate::cases::cases;
use proptest::prelude::*;
use tensor_layout::half::{bf16, f16};
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseTensor};
use tensor_layout::sparsify::{Dense, DynOperand, Evaluate, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Delta = (i, j) -> (i : dense, j : delta[4]);
}

const ENCODINGS: [&str; 6] = [
    "(i, j) -> (i : dense, j : compressed)",
    "(i, j) -> (j : dense, i : compressed)",
    "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "(i, j) -> (i : compressed, j : compressed(nonordered))",
    "(i, j) -> (i : dense, j : delta[4])",
    "(i, j) -> (i : compressed(nonordered), j : loose_compressed)",
];

const SCHEDULES: [&str; 6] = [
    "",
    "; order(i, j)",
    "; order(j, i)",
    "; split(j, 2)",
    "; split(i, 3)",
    "; split(j, 4); order(j, i)",
];

const SHAPE: [usize; 2] = [5, 11];

/// The stored values: an entry for each position, or none.
type Entries = Vec<Option<f64>>;

fn entries() -> impl Strategy<Value = Entries> {
    let value = prop::sample::select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        1.0,
        -2.0,
        3.5,
    ]);
    let value = prop_oneof![3 => Just(None), 1 => value.prop_map(Some), 4 => (-9..9i32).prop_map(|n| Some(n.into()))];
    prop::collection::vec(value, SHAPE[0] * SHAPE[1])
}

/// NaN if one of them is NaN.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { f64::min(a, b) }
}

fn largest(a: f64, b: f64) -> f64 {
    -least(-a, -b)
}

/// The meaning of a statement: NaN, or a value for each position, or nothing.
fn rows(entries: &Entries, start: f64, of: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    entries.chunks(SHAPE[1]).map(|row| row.iter().flatten().fold(start, |a, b| of(a, *b))).collect()
}

fn stored(entries: &Entries) -> Vec<([usize; 2], f64)> {
    let all = entries.iter().enumerate();
    all.filter_map(|(at, value)| Some(([at / SHAPE[1], at % SHAPE[1]], (*value)?))).collect()
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
}

/// The values of a kernel at run time, in elements of type `T`.
fn run<T: Evaluate>(
    text: &str,
    encoding: &str,
    operands: [&Entries; 2],
    of: fn(f64) -> T,
    back: fn(T) -> f64,
) -> Vec<f64> {
    let kernel: SparseKernel = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let operand = |entries: &&Entries| {
        let entries: Vec<_> =
            stored(entries).into_iter().map(|(index, value)| (index, of(value))).collect();
        let encoding = encoding.parse().expect("an encoding");
        DynOperand::from(
            DynSparseTensor::from_coo(encoding, &SHAPE, &entries, Duplicates::Error)
                .expect("a tensor"),
        )
    };
    let operands: Vec<_> = operands.iter().map(operand).collect();
    match kernel.run(&operands).unwrap_or_else(|error| panic!("{text}: {error}")) {
        DynOperand::Dense { values, .. } => values.into_iter().map(back).collect(),
        output => panic!("{output:?} is not dense"),
    }
}

/// Runs the text of a kernel in elements of some type.
type Run<'a> = Box<dyn Fn(&str) -> Vec<f64> + 'a>;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_loop_loses_what_is_no_number(
        (a, b) in (entries(), entries()), encoding in 0..ENCODINGS.len(), schedule in 0..SCHEDULES.len(), ty in 0..4usize,
    ) {
        let (encoding, schedule) = (ENCODINGS[encoding], SCHEDULES[schedule]);
        let of = |text: &str, operands: [&Entries; 2]| {
            let (element, run): (&str, Run<'_>) = match ty {
                0 => ("f64", Box::new(move |text| run::<f64>(text, encoding, operands, |x| x, |x| x))),
                1 => ("f32", Box::new(move |text| run::<f32>(text, encoding, operands, |x| x as f32, f64::from))),
                2 => ("f16", Box::new(move |text| run::<f16>(text, encoding, operands, f16::from_f64, f16::to_f64))),
                _ => ("bf16", Box::new(move |text| run::<bf16>(text, encoding, operands, bf16::from_f64, bf16::to_f64))),
            };
            let signature = format!("fn f(a: {{{encoding}}}<{element}>[i, j], b: {{{encoding}}}<{element}>[i, j]) -> y: Dense<{element}>");
            run(&format!("{signature}{text}{schedule} }}"))
        };
        for (op, start, fold) in [("min", f64::INFINITY, least as fn(f64, f64) -> f64), ("max", f64::NEG_INFINITY, largest)] {
            let found = of(&format!("[i] {{ y[i] {op}= a[i, j]"), [&a, &b]);
            let expected = rows(&a, start, fold);
            prop_assert!(same(&found, &expected), "{op}= {found:?} {expected:?}");
            // Of two operands in either order: elements that are not stored are zero.
            let pairs: Vec<f64> =
                a.iter().zip(&b).map(|(a, b)| fold(a.unwrap_or(0.0), b.unwrap_or(0.0))).collect();
            for operands in [[&a, &b], [&b, &a]] {
                let found = of(&format!("[i, j] {{ y[i, j] = {op}(a[i, j], b[i, j])"), operands);
                prop_assert!(same(&found, &pairs), "{op} {found:?} {pairs:?}");
            }
        }
    }

    #[test]
    fn nor_does_what_the_macro_makes((a, b) in (entries(), entries())) {
        macro_rules! agree {
            ($($Enc:ident $T:ident $of:expr, $back:expr;)*) => { $( {
                sparse_kernel! {
                    fn least_of_rows(a: $Enc<$T>[i, j]) -> y: Dense<$T>[i] { y[i] min= a[i, j] }
                    fn largest_of_rows(a: $Enc<$T>[i, j]) -> y: Dense<$T>[i] { y[i] max= a[i, j] }
                    fn least_by_columns(a: $Enc<$T>[i, j]) -> y: Dense<$T>[i] { y[i] min= a[i, j]; order(j, i) }
                    fn largest_in_blocks(a: $Enc<$T>[i, j]) -> y: Dense<$T>[i] { y[i] max= a[i, j]; split(j, 4) }
                    fn lesser(a: $Enc<$T>[i, j], b: $Enc<$T>[i, j]) -> y: Dense<$T>[i, j] { y[i, j] = min(a[i, j], b[i, j]) }
                    fn larger(a: $Enc<$T>[i, j], b: $Enc<$T>[i, j]) -> y: Csr<$T>[i, j] { y[i, j] = max(a[i, j], b[i, j]) }
                }
                let expected = [rows(&a, f64::INFINITY, least), rows(&a, f64::NEG_INFINITY, largest)];
                let pairs = |fold: fn(f64, f64) -> f64| -> Vec<f64> {
                    a.iter().zip(&b).map(|(a, b)| fold(a.unwrap_or(0.0), b.unwrap_or(0.0))).collect()
                };
                let pairs = [pairs(least), pairs(largest)];
                let tensor = |entries: &Entries| {
                    let entries: Vec<_> = stored(entries).into_iter().map(|(index, value)| (index, $of(value))).collect();
                    SparseTensor::<$Enc, $T>::from_coo(SHAPE, &entries, Duplicates::Error).expect("a tensor")
                };
                let (a, b) = (tensor(&a), tensor(&b));
                let back = |values: Vec<$T>| values.into_iter().map($back).collect::<Vec<f64>>();
                let of = |dense: Dense<$T, 1>| back(dense.into_values());
                prop_assert!(same(&of(least_of_rows(&a).expect("y")), &expected[0]));
                prop_assert!(same(&of(least_by_columns(&a).expect("y")), &expected[0]));
                prop_assert!(same(&of(largest_of_rows(&a).expect("y")), &expected[1]));
                prop_assert!(same(&of(largest_in_blocks(&a).expect("y")), &expected[1]));
                for (a, b) in [(&a, &b), (&b, &a)] {
                    prop_assert!(same(&back(lesser(a, b).expect("y").into_values()), &pairs[0]));
                    prop_assert!(same(&back(larger(a, b).expect("y").to_dense().expect("memory")), &pairs[1]));
                }
            } )* };
        }
        agree! {
            Csr f64 |x| x, |x: f64| x;
            Csc f64 |x| x, |x: f64| x;
            Coo f32 |x| x as f32, f64::from;
            Delta f64 |x| x, |x: f64| x;
            Csr bf16 bf16::from_f64, bf16::to_f64;
            Csc f16 f16::from_f64, f16::to_f64;
        }
    }
}
