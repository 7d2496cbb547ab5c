//! Random statements in elements of every type, compared with plain loops over whole numbers that become elements where an
//! element is read or written.

use crate::case::{Case, NAMES, Storage};
use crate::cases::cases;
use crate::random::{does_not_fit, encoding, entries, is_about_hint};
use crate::reference::{Numbers, evaluate};
use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::ParseError;
use tensor_layout::half::{bf16, f16};
use tensor_layout::sparse::{Duplicates, DynSparseTensor};
use tensor_layout::sparsify::ir::BinaryOp;
use tensor_layout::sparsify::{
    DynFunction, DynOperand, ElementType, Evaluate, Number, RunError, SparseKernel, WideOperand,
};

/// An element type with whole values: small ones for floats, so that sums are exact, otherwise large ones, so that premature
/// wrapping is found.
struct Element<T: Evaluate> {
    of: fn(i128) -> T,
    numbers: Numbers<i128>,
    scale: i128,
    unsigned: bool,
    float: bool,
    /// Types of operands whose elements differ from those of the output.
    others: &'static [Other<T::Wide>],
}

/// A type that operands may have, and a function that makes such an operand.
struct Other<W> {
    name: &'static str,
    operand: fn(&crate::case::Operand) -> WideOperand<W>,
}

/// An operand of a case with elements of some type.
fn operand<T: Evaluate>(operand: &crate::case::Operand, of: impl Fn(i128) -> T) -> DynOperand<T> {
    match operand.storage {
        Storage::Dense => {
            let values = operand.entries.iter().map(|entry| of(entry.1.into())).collect();
            DynOperand::dense(&operand.shape, values).expect("as many values")
        }
        Storage::Sparse(text) => {
            let entry = |(index, value): &(Vec<usize>, i64)| (index.clone(), of((*value).into()));
            let entries: Vec<_> = operand.entries.iter().map(entry).collect();
            let encoding = encoding(text);
            let build = |duplicates| {
                DynSparseTensor::from_coo(encoding, &operand.shape, &entries, duplicates)
            };
            let tensor = build(Duplicates::Error).or_else(|_| build(Duplicates::Keep));
            tensor.expect("entries that can be stored").into()
        }
    }
}

fn check<T: Evaluate>(bytes: &[u8], element: &Element<T>) -> Result<(), TestCaseError> {
    let mut case = Case::new(&mut Tape::new(bytes));
    let logical = T::ELEMENT == ElementType::Bool;
    if (element.float || logical) && case.reduction == "*=" {
        // Products of many numbers are not exact, and `bool` has none.
        case.reduction = "+=";
    }
    if element.unsigned {
        let all = case.operands.iter_mut().flat_map(|operand| &mut operand.entries);
        all.for_each(|(_, value)| *value = value.abs());
    }
    let scaled = |value: i64| (element.numbers.narrow)(i128::from(value) * element.scale) as i64;
    let all = case.operands.iter_mut().flat_map(|operand| &mut operand.entries);
    all.for_each(|(_, value)| *value = scaled(*value));
    // Each operand draws a type; the output has the last one.
    let mut tape = Tape::new(bytes);
    let drawn: Vec<_> = (case.operands.iter())
        .map(|_| element.others.get(tape.below(element.others.len().max(1))))
        .collect();
    let mut text = case.text();
    for other in &drawn {
        let name = other.map_or(T::ELEMENT.name(), |other| other.name);
        text = text.replacen("<i64>", &format!("< {name}>"), 1);
    }
    let text = text.replace("<i64>", &format!("<{}>", T::ELEMENT)).replace("< ", "<");
    let kernel: SparseKernel = match text.parse() {
        Ok(kernel) => kernel,
        Err(error) => {
            let message = error.to_string();
            if text.contains("; parallel(") && is_about_hint(&message) {
                return Ok(());
            }
            let sign = message.contains("has no negative values")
                || message.contains("is not a number of type");
            prop_assert!((element.unsigned || logical) && sign, "{}\n{}", text, message);
            return Ok(());
        }
    };
    prop_assert!(!element.unsigned || !text.replace("(-0)", "").contains("(-"), "{}", text);
    let operands = case.operands.iter().zip(&drawn);
    let operands: Vec<WideOperand<T::Wide>> = operands
        .map(|(written, other)| match other {
            Some(other) => (other.operand)(written),
            None => operand(written, element.of).into(),
        })
        .collect();
    let same: Vec<_> = case.operands.iter().map(|written| operand(written, element.of)).collect();
    let functions: [(&str, DynFunction<T>); 2] = [("add3", add3), ("twice", twice)];
    let run = |kernel: &SparseKernel| match element.others {
        [] => kernel.run_with(&same, &functions),
        _ => kernel.run_mixed(&operands, &functions),
    };
    let output = match run(&kernel) {
        Ok(output) => output,
        Err(RunError::Build(error)) if does_not_fit(&error) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(format!("{text}\n{kernel}{error}"))),
    };
    if let Some(kernel) = hinted(&text, &case, bytes.len())? {
        let other = run(&kernel).expect("as without a hint");
        prop_assert_eq!(entries(&other), entries(&output), "{}\n{}{:?}", text, kernel, case);
    }
    let expected = evaluate(&case, element.numbers);
    let missing = match case.reduction {
        "max=" => T::BOUNDS.expect("an order").0,
        "min=" => T::BOUNDS.expect("an order").1,
        "*=" => T::ONE,
        _ => T::ZERO,
    };
    let full = matches!(output, DynOperand::Scalar(_) | DynOperand::Dense { .. });
    let missing = if full { missing } else { T::ZERO };
    let found = entries(&output);
    for (index, value) in &found {
        let wanted = expected.get(index).map_or(missing, |wanted| (element.of)(wanted.value));
        prop_assert_eq!(*value, wanted, "{}\n{}at {:?} of {:?}", text, kernel, index, case);
    }
    for (index, wanted) in &expected {
        let stored = found.contains_key(index) || (element.of)(wanted.value).is_zero();
        prop_assert!(stored, "{}\n{}{:?} is missing in {:?}", text, kernel, index, case);
    }
    Ok(())
}

/// The same with a loop in parallel, unrolled, in vectors or galloping, where possible.
fn hinted(text: &str, case: &Case, number: usize) -> Result<Option<SparseKernel>, TestCaseError> {
    let index = NAMES[number / 4 % case.sizes.len()];
    let hint = ["parallel", "unroll", "vectorize", "gallop"][number % 4];
    let hinted = format!("{}; {hint}({index}) }}", text.trim_end_matches(" }"));
    let error = match hinted.parse() {
        Ok(kernel) => return Ok(Some(kernel)),
        Err(error) => ParseError::to_string(&error),
    };
    prop_assert!(is_about_hint(&error), "{}\n{}", hinted, error);
    Ok(None)
}

fn sum<T: Evaluate>(values: &[T]) -> T {
    let add = |a, b| T::binary(BinaryOp::Add, a, b).expect("a sum");
    T::narrow(values.iter().map(|value| value.widen()).reduce(add).expect("some values"))
}

fn add3<T: Evaluate>(values: &[T]) -> T {
    sum(&[values[0], values[1], values[1], values[1]])
}

fn twice<T: Evaluate>(values: &[T]) -> T {
    sum(&[values[0], values[0]])
}

macro_rules! types {
    ($($test:ident $T:ty, $of:expr, $narrow:expr, $wide:expr, $scale:literal $unsigned:literal $float:literal $($other:ty)*;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: cases(150), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $test(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
                    let numbers = Numbers { narrow: $narrow, wide: $wide };
                    let others = &[$(Other {
                        name: stringify!($other),
                        operand: |written| {
                            operand(written, |x| <$other as Number>::from_index(x as i64)).into()
                        },
                    }),*];
                    check::<$T>(&bytes, &Element { of: $of, numbers, scale: $scale, unsigned: $unsigned, float: $float, others })?;
                }
            )*
        }
    };
}

types! {
    agree_in_bool bool, |x| x != 0, |x| i128::from(x != 0), |x| x as i64 as i128, 1 false false;
    agree_in_bool_of_others bool, |x| x != 0, |x| i128::from(x != 0), |x| x as i64 as i128, 1 false false bool;
    agree_in_i8 i8, |x| x as i8, |x| x as i8 as i128, |x| x as i32 as i128, 31 false false;
    agree_in_i16 i16, |x| x as i16, |x| x as i16 as i128, |x| x as i32 as i128, 8_009 false false;
    agree_in_i32 i32, |x| x as i32, |x| x as i32 as i128, |x| x as i32 as i128, 536_870_923 false false;
    agree_in_i64 i64, |x| x as i64, |x| x as i64 as i128, |x| x as i64 as i128, 2_305_843_009_213_693_951 false false;
    agree_in_u8 u8, |x| x as u8, |x| x as u8 as i128, |x| x as i32 as i128, 63 true false;
    agree_in_u16 u16, |x| x as u16, |x| x as u16 as i128, |x| x as i32 as i128, 16_381 true false;
    agree_in_u32 u32, |x| x as u32, |x| x as u32 as i128, |x| x as u32 as i128, 1_073_741_827 true false;
    agree_in_u64 u64, |x| x as u64, |x| x as u64 as i128, |x| x as u64 as i128, 4_611_686_018_427_387_847 true false;
    agree_in_f16 f16, |x| f16::from_f64(x as f64), |x| f16::from_f64(x as f64).to_f64() as i128, |x| x, 1 false true;
    agree_in_bf16 bf16, |x| bf16::from_f64(x as f64), |x| bf16::from_f64(x as f64).to_f64() as i128, |x| x, 1 false true;
    agree_in_f32 f32, |x| x as f32, |x| x as f32 as i128, |x| x, 1 false true;
    agree_in_f64 f64, |x| x as f64, |x| x, |x| x, 1 false true;
    agree_in_i16_of_others i16, |x| x as i16, |x| x as i16 as i128, |x| x as i32 as i128, 25 false false i8 i16 i32;
    agree_in_i32_of_others i32, |x| x as i32, |x| x as i32 as i128, |x| x as i32 as i128, 25 false false i8 i16 i32;
    agree_in_i64_of_others i64, |x| x as i64, |x| x as i64 as i128, |x| x as i64 as i128, 25 false false i8 i16 i32 i64;
    agree_in_u64_of_others u64, |x| x as u64, |x| x as u64 as i128, |x| x as u64 as i128, 51 true false u8 u16 u32 u64;
    agree_in_bf16_of_others bf16, |x| bf16::from_f64(x as f64), |x| bf16::from_f64(x as f64).to_f64() as i128, |x| x, 1 false true bf16 f32 i8;
    agree_in_f32_of_others f32, |x| x as f32, |x| x as f32 as i128, |x| x, 1 false true bf16 f16 i8 i16 f32;
    agree_in_f64_of_others f64, |x| x as f64, |x| x, |x| x, 1 false true bf16 f16 i8 i32 f32 f64;
}

/// As `f64`, the number is halfway between two of `f32`.
#[test]
fn numbers_are_rounded_to_their_type_once() {
    let text =
        "fn f(x: Dense<f32>[i]) -> y: Dense<f32>[i] { y[i] = 1.00000005960464477540 * x[i] }";
    let kernel: SparseKernel = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let x = DynOperand::dense(&[1], vec![1.0f32]).expect("a vector");
    let y = kernel.run(&[x]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(y, DynOperand::dense(&[1], vec![1.000_000_1f32]).expect("a vector"));
}
