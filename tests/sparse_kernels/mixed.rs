//! Operands whose elements have other types than those of the output: bit for bit the same through the macro and at run time,
//! and equal to numpy's results.

use crate::case::index;
use crate::operands::{Operand, Operands, braced};
use crate::cases::cases;
use crate::random::{duplicates, keeps};
use crate::rows::{numbers, rows, text};
use crate::tape::Tape;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Debug;
use tensor_layout::half::{bf16, f16};
use tensor_layout::num_complex::Complex;
use tensor_layout::sparse::{DynSparseTensor, Encoding, SparseElement, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{
    Dense, DynOperand, Evaluate, KernelError, RunError, SparseKernel, WideOperand, WidenTo,
};

/// A statement that is compiled by the macro.
struct Mixed {
    name: &'static str,
    text: &'static str,
    /// The type of the output's elements.
    element: &'static str,
    /// Names, encodings in braces or `Dense`, and names of the dimensions.
    operands: &'static [(&'static str, &'static str, &'static [&'static str])],
    made: fn(&Operands) -> Result<Output, KernelError>,
    interpreted: fn(&SparseKernel, &Operands) -> Result<Output, RunError>,
}

impl Operands {
    fn wide<T: Evaluate + WidenTo<W>, W>(&self, name: &str, ty: &str) -> WideOperand<W> {
        let Operand { shape, entries } = &self.0[name];
        if ty == "Dense" {
            let values = entries.iter().map(|entry| T::from_f64(entry.1)).collect();
            return DynOperand::dense(shape, values).expect("all values").into();
        }
        let entry = |(at, value): &(Vec<usize>, f64)| (at.clone(), T::from_f64(*value));
        let (entries, encoding): (Vec<_>, _) = (entries.iter().map(entry).collect(), braced(ty));
        let tensor = DynSparseTensor::from_coo(encoding, shape, &entries, duplicates(&encoding));
        tensor.expect("entries that can be stored").into()
    }
}

/// The shape of an output, and its stored elements as text, which distinguishes any two values.
type Output = (Vec<usize>, Vec<(Vec<usize>, String)>);

fn written<T: Debug>(shape: &[usize], values: &[T]) -> Output {
    let entry = |(at, value): (usize, &T)| (index(at, shape), format!("{value:?}"));
    (shape.to_vec(), values.iter().enumerate().map(entry).collect())
}

fn array<T: Debug, const RANK: usize>(array: Dense<T, RANK>) -> Output {
    written(&array.shape(), array.values())
}

fn tensor<E: Encoding, T: SparseElement>(tensor: SparseTensor<E, T>) -> Output {
    let entries = tensor.to_coo().into_iter();
    let entries = entries.map(|(index, value)| (index.as_ref().to_vec(), format!("{value:?}")));
    (tensor.shape().as_ref().to_vec(), entries.collect())
}

fn output<T: Evaluate>(output: DynOperand<T>) -> Output {
    match output {
        DynOperand::Scalar(value) => written(&[], &[value]),
        DynOperand::Dense { shape, values } => written(&shape, &values),
        DynOperand::Tiled { .. } => self::output(output.unpacked()),
        DynOperand::Sparse(tensor) => {
            let entries = tensor.to_coo().into_iter();
            let entries = entries.map(|(index, value)| (index, format!("{value:?}")));
            (tensor.shape().to_vec(), entries.collect())
        }
    }
}

macro_rules! operand {
    ($operands:ident, $name:ident, Dense, $T:ty) => {
        &$operands.dense::<$T, _>(stringify!($name))
    };
    ($operands:ident, $name:ident, $encoding:tt, $T:ty) => {
        &$operands.sparse::<_, $T>(stringify!($name))
    };
}

macro_rules! output {
    (Dense, $output:expr) => {
        array($output)
    };
    ($encoding:tt, $output:expr) => {
        tensor($output)
    };
}

macro_rules! mixed {
    ($($function:ident($($name:ident: $ty:tt<$T:ident>[$($dim:ident),+]),+) -> $out:ident: $out_ty:tt<$Out:ident>[$($out_dim:ident),+] $body:tt)*) => {
        sparse_kernel! { $(
            fn $function($($name: $ty<$T>[$($dim),+]),+) -> $out: $out_ty<$Out>[$($out_dim),+] $body
        )* }
        const MIXED: &[Mixed] = &[$(
            Mixed {
                name: stringify!($function),
                element: stringify!($Out),
                text: stringify!(fn f($($name: $ty<$T>[$($dim),+]),+) -> $out: $out_ty<$Out>[$($out_dim),+] $body),
                operands: &[$((stringify!($name), stringify!($ty), &[$(stringify!($dim)),+])),+],
                made: |operands| Ok(output!($out_ty, $function($(operand!(operands, $name, $ty, $T)),+)?)),
                interpreted: |kernel, operands| {
                    let operands = [$(operands.wide::<$T, <$Out as SparseElement>::Wide>(stringify!($name), stringify!($ty))),+];
                    Ok(output(kernel.run_mixed::<$Out>(&operands, &[])?))
                },
            },
        )*];
    };
}

mixed! {
    vector(a: {(i, j) -> (i : dense, j : compressed)}<bf16>[i, j], x: Dense<i8>[j]) -> y: Dense<f32>[i] { y[i] += a[i, j] * x[j] }
    rows_of_whole_numbers(a: {(i, j) -> (i : dense, j : compressed)}<i8>[i, j], x: Dense<u8>[j]) -> y: Dense<i32>[i] { y[i] += a[i, j] * x[j] }
    rows_rounded_once(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], x: Dense<bf16>[j]) -> y: Dense<bf16>[i] { y[i] += a[i, j] * x[j] }
    two_vectors_of_two_types(a: {(i, j) -> (i : dense, j : compressed)}<f16>[i, j], x: Dense<i8>[j], z: Dense<f32>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] * z[j] }
    two_vectors_of_one_type(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<i16>[j], z: Dense<i16>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * (x[j] - z[j]) }
    matrix(a: {(i, j) -> (i : dense, j : compressed)}<i8>[i, j], x: Dense<bf16>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] += a[i, j] * x[j, k] }
    blocks(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}<bf16>[i, j], x: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] += a[i, j] * x[j, k] }
    entries_at_one_index(a: {(i, j) -> (i : dense, j : compressed(nonunique))}<u8>[i, j], x: Dense<i16>[j]) -> y: Dense<i32>[i] { y[i] += a[i, j] * a[i, j] * x[j] }
    largest(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}<u8>[i, j], x: Dense<i8>[i]) -> y: Dense<i16>[i] { y[i] max= a[i, j] - x[i] }
    converted(a: {(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))}<i8>[i, j], b: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    pattern(s: {(i, j) -> (i : dense, j : compressed)}<u8>[i, j], u: Dense<bf16>[i, k], v: Dense<f16>[k, j]) -> o: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j] { o[i, j] = s[i, j] * u[i, k] * v[k, j] }
    product(a: {(i, j) -> (i : dense, j : compressed)}<i8>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i16>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
    columns(a: {(i, j) -> (j : dense, i : compressed)}<f16>[i, j], x: Dense<i8>[j]) -> y: Dense<f16>[i] { y[i] += a[i, j] * x[j] }
    threads(a: {(i, j) -> (i : dense, j : compressed)}<i16>[i, j], x: Dense<f32>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; parallel(i) }
    window(x: Dense<i8>[n], w: Dense<bf16>[k]) -> y: Dense<bf16>[i] { y[i] += x[i + k] * w[k] }
}

fn value(tape: &mut Tape<'_>, step: f64) -> f64 {
    // 8-bit integers, signed and unsigned, are small; floats are rounded, each to its type.
    tape.below(20) as f64 * step
}

fn operands(mixed: &Mixed, tape: &mut Tape<'_>) -> Operands {
    let step = tape.pick(&[1.0, 6.3, 0.37]);
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for dim in mixed.operands.iter().flat_map(|(_, _, dims)| *dims) {
        let size = if tape.once_in(6) { 8 + tape.below(34) } else { tape.below(10) };
        sizes.entry(dim).or_insert(size);
    }
    let operand = |(name, ty, dims): &(&'static str, &str, &[&str])| {
        let shape: Vec<usize> = dims.iter().map(|dim| sizes[dim]).collect();
        let total: usize = shape.iter().product();
        let mut entries = Vec::new();
        for position in 0..total {
            let copies = match *ty {
                "Dense" => 1,
                _ if tape.once_in(3) => 0,
                ty if keeps(&braced(ty)) && tape.once_in(3) => 2,
                _ => 1,
            };
            for _ in 0..copies {
                entries.push((index(position, &shape), value(tape, step)));
            }
        }
        (*name, Operand { shape, entries })
    };
    Operands(mixed.operands.iter().map(operand).collect())
}

fn kernel(mixed: &Mixed) -> SparseKernel {
    mixed.text.parse().unwrap_or_else(|error| panic!("{}: {error}", mixed.text))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1000), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_macro_and_the_interpreter_agree_in_every_bit(which in 0..MIXED.len(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mixed = &MIXED[which];
        let operands = operands(mixed, &mut Tape::new(&bytes));
        let made = (mixed.made)(&operands).expect("an output");
        let interpreted = (mixed.interpreted)(&kernel(mixed), &operands).expect("an output");
        prop_assert_eq!(made, interpreted, "{} of {:?}", mixed.text, operands);
    }
}

#[test]
fn numpy_computes_the_same() {
    let mut seen = Vec::new();
    for row in rows("sparse_mixed", MIXED.len()) {
        let name = text(&row, "kernel");
        let mixed = MIXED.iter().find(|mixed| mixed.name == name).expect("a kernel of the list");
        seen.push(mixed.name);
        let tensors = row["tensors"].as_object().expect("tensors");
        let operand = |(name, ty, _): &(&'static str, &str, &[&str])| {
            let shape = numbers(&tensors[*name]["shape"]);
            let values = tensors[*name]["values"].as_array().expect("values");
            let values = values.iter().map(|value| value.as_f64().expect("a number")).enumerate();
            let entries = values.map(|(at, value)| (index(at, &shape), value));
            let entries = entries.filter(|(_, value)| *ty == "Dense" || *value != 0.0).collect();
            (*name, Operand { shape, entries })
        };
        let operands = Operands(mixed.operands.iter().map(operand).collect());
        let (shape, values) = (numbers(&row["shape"]), row["numpy"].as_array().expect("values"));
        for (shape_found, entries) in [
            (mixed.made)(&operands).expect("an output"),
            (mixed.interpreted)(&kernel(mixed), &operands).expect("an output"),
        ] {
            assert_eq!(shape_found, shape, "{name}");
            let mut found = vec![0.0; values.len()];
            for (at, value) in entries {
                let at = at.iter().zip(&shape).fold(0, |position, (x, size)| position * size + x);
                found[at] = match mixed.element {
                    // The shortest text that distinguishes it from other numbers of its type.
                    "f32" => value.parse::<f32>().expect("a number").into(),
                    _ => value.parse().expect("a number"),
                };
            }
            let expected: Vec<f64> = values.iter().map(|x| x.as_f64().expect("a number")).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
    assert!(MIXED.iter().all(|mixed| seen.contains(&mixed.name)), "a kernel has no row: {seen:?}");
}

type Gain = f32;

sparse_kernel! {
    fn scaled(x: Dense<i16>[i], gain: Gain, shift: bf16) -> y: Dense<f64>[i] { y[i] = gain * x[i] + shift }
    fn turned(x: Dense<Complex<f32>>[i], w: Dense<i8>[i], by: f64) -> s: Complex<f64> { s += w[i] * x[i] * by }
    fn called(x: Dense<bf16>[i]) -> y: Dense<f32>[i] { y[i] = call(|x: f32| x + 0.25, x[i]) }
}

#[test]
fn scalars_may_have_any_type() {
    let y = scaled(&[3i16, -4][..], 0.5, bf16::ONE).unwrap();
    assert_eq!(y.values(), [2.5, -1.0]);
    let x = [Complex::new(1.0f32, 2.0), Complex::new(0.5, 0.0)];
    assert_eq!(turned(&x[..], &[3i8, -2][..], 2.0).unwrap(), Complex::new(4.0, 12.0));
}

#[test]
fn functions_take_what_the_output_holds() {
    let y = called(&[bf16::from_f32(0.5)][..]).unwrap();
    assert_eq!(y.values(), [0.75]);
}

#[test]
fn operands_of_another_type_than_the_signature_says_are_refused() {
    let kernel: SparseKernel =
        "fn f(x: Dense<i8>[i]) -> s: f32 { s += x[i] }".parse().expect("a kernel");
    let x = DynOperand::dense(&[1], vec![1i16]).expect("one value");
    let error = kernel.run_mixed::<f32>(&[x.into()], &[]).expect_err("another type");
    let expected = "the signature says that elements are `i8`, but `i16` are given";
    assert_eq!(error.to_string(), expected);
    let x = DynOperand::dense(&[1], vec![1.0f32]).expect("one value");
    assert_eq!(kernel.run(&[x]).expect_err("another type").to_string(), expected.replace("i16", "f32"));
}

/// Whether the core accepts exactly the conversions of the trait.
#[test]
fn types_widen_in_the_core_as_they_do_in_rust() {
    macro_rules! check {
        ($($T:ty: $($W:ty)*;)*) => { $(
            let wide = [$(<$W as Evaluate>::ELEMENT),*];
            $( let _: fn($T) -> $W = <$T as WidenTo<$W>>::widen_to; )*
            for to in ["f32", "f64", "i32", "i64", "u32", "u64", "Complex<f32>", "Complex<f64>"] {
                let text = format!("fn f(x: Dense<{}>[i]) -> y: Dense<{to}>[i] {{ y[i] = x[i] }}", <$T as Evaluate>::ELEMENT);
                let allowed = wide.iter().any(|wide| wide.name() == to);
                assert_eq!(text.parse::<SparseKernel>().is_ok(), allowed, "{text}");
            }
        )* };
    }
    check! {
        bool: i32 i64 u32 u64 f32 f64 Complex<f32> Complex<f64>;
        i8: i32 i64 f32 f64 Complex<f32> Complex<f64>;
        i16: i32 i64 f32 f64 Complex<f32> Complex<f64>;
        i32: i32 i64 f64 Complex<f64>;
        i64: i64;
        u8: i32 i64 u32 u64 f32 f64 Complex<f32> Complex<f64>;
        u16: i32 i64 u32 u64 f32 f64 Complex<f32> Complex<f64>;
        u32: u32 i64 u64 f64 Complex<f64>;
        u64: u64;
        f16: f32 f64 Complex<f32> Complex<f64>;
        bf16: f32 f64 Complex<f32> Complex<f64>;
        f32: f32 f64 Complex<f32> Complex<f64>;
        f64: f64 Complex<f64>;
        Complex<f32>: Complex<f32> Complex<f64>;
        Complex<f64>: Complex<f64>;
    }
}
