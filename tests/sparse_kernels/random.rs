//! Random statements over operands in random encodings, against plain loops over all indices.

use crate::case::{Case, Storage};
use crate::reference::{add3, evaluate, twice};
use crate::tape::Tape;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tensor_layout::sparse::{
    BuildError, Duplicates, DynSparseTensor, LevelFormat, LevelSpec, SparseEncoding,
};
use tensor_layout::sparsify::{DynFunction, DynOperand, RunError, SparseKernel};

pub(crate) fn encoding(text: &str) -> SparseEncoding {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether several entries at one index can be stored: the last level tells none of them apart.
fn keeps(encoding: &SparseEncoding) -> bool {
    let repeats = |level: &LevelSpec| level.properties.nonunique;
    let last = encoding.levels().last().expect("a level");
    let above = &encoding.levels()[..encoding.levels().len() - 1];
    above.iter().all(|level| repeats(level) || level.format == LevelFormat::Dense)
        && (repeats(last) || last.format == LevelFormat::Singleton)
}

/// Entries that an encoding can store.
pub(crate) fn fill(
    tape: &mut Tape<'_>,
    text: &str,
    shape: &[usize],
    at: &dyn Fn(usize) -> Vec<usize>,
) -> Vec<(Vec<usize>, i64)> {
    let encoding = encoding(text);
    let total: usize = shape.iter().product();
    let mut entries: Vec<(Vec<usize>, i64)> = Vec::new();
    let density = 1 + tape.below(5);
    for place in 0..total {
        if tape.below(6) >= density {
            continue;
        }
        // Zeros that are given are stored, where the encoding does not hold zeros of its own.
        let zero = if encoding.fills() { 1 } else { 0 };
        let value = match tape.below(9) as i64 - 4 {
            0 => zero,
            value => value,
        };
        let copies = if keeps(&encoding) && tape.once_in(4) { 2 } else { 1 };
        for _ in 0..copies {
            entries.push((at(place), value));
        }
        // Leave out what does not fit: more than two of four, more than there are slots.
        if build(&encoding, shape, &entries).is_err() {
            entries.pop();
        }
    }
    entries
}

fn build(
    encoding: &SparseEncoding,
    shape: &[usize],
    entries: &[(Vec<usize>, i64)],
) -> Result<DynSparseTensor<i64>, BuildError> {
    let duplicates = if keeps(encoding) { Duplicates::Keep } else { Duplicates::Error };
    DynSparseTensor::from_coo(*encoding, shape, entries, duplicates)
}

fn operands(case: &Case) -> Vec<DynOperand<i64>> {
    let operand = |operand: &crate::case::Operand| match operand.storage {
        Storage::Dense => {
            let values = operand.entries.iter().map(|entry| entry.1).collect();
            DynOperand::dense(&operand.shape, values).expect("as many values")
        }
        Storage::Sparse(text) => {
            let tensor = build(&encoding(text), &operand.shape, &operand.entries);
            tensor.expect("entries that can be stored").into()
        }
    };
    case.operands.iter().map(operand).collect()
}

/// What an output holds, and whether what it does not hold is told apart from zero.
fn entries(output: &DynOperand<i64>) -> (BTreeMap<Vec<usize>, i64>, bool) {
    let mut entries = BTreeMap::new();
    match output {
        DynOperand::Scalar(value) => {
            entries.insert(Vec::new(), *value);
            (entries, false)
        }
        DynOperand::Dense { shape, values } => {
            for (place, value) in values.iter().enumerate() {
                let mut rest = place;
                let mut index = vec![0; shape.len()];
                for dim in (0..shape.len()).rev() {
                    index[dim] = rest % shape[dim];
                    rest /= shape[dim];
                }
                entries.insert(index, *value);
            }
            (entries, false)
        }
        DynOperand::Sparse(tensor) => {
            for (index, value) in tensor.to_coo() {
                let sum = entries.entry(index).or_insert(0i64);
                *sum = sum.wrapping_add(value);
            }
            (entries, !tensor.encoding().fills())
        }
    }
}

fn identity(reduction: &str) -> i64 {
    match reduction {
        "max=" => i64::MIN,
        "min=" => i64::MAX,
        "*=" => 1,
        _ => 0,
    }
}

fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let case = Case::new(&mut Tape::new(bytes));
    let text = case.text();
    let kernel: SparseKernel = match text.parse() {
        Ok(kernel) => kernel,
        // Parts of an index stand from the largest to the least, which an order may not allow.
        Err(error) => return Err(TestCaseError::fail(format!("{text}\n{error}"))),
    };
    let functions: [(&str, DynFunction<i64>); 2] = [("add3", add3), ("twice", twice)];
    let operands = operands(&case);
    let run = std::panic::catch_unwind(|| kernel.run_with(&operands, &functions));
    let Ok(run) = run else { return Err(TestCaseError::fail(format!("{text}\n{kernel}"))) };
    let output = match run {
        Ok(output) => output,
        // Not every result fits every encoding.
        Err(RunError::Build(
            BuildError::Structured { .. } | BuildError::Slots { .. } | BuildError::Repeated { .. },
        )) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(format!("{text}\n{kernel}{error}"))),
    };
    let expected = evaluate(&case);
    let (found, told_apart) = entries(&output);
    let is_sum = matches!(case.reduction, "=" | "+=");
    let full = matches!(output, DynOperand::Scalar(_) | DynOperand::Dense { .. });
    for (index, value) in &found {
        let missing = if full || is_sum { identity(case.reduction) } else { 0 };
        let wanted = expected.get(index).copied().unwrap_or(missing);
        prop_assert_eq!(*value, wanted, "{}\n{}at {:?} of {:?}", text, kernel, index, case);
    }
    let inputs_fill = case.operands.iter().any(|operand| match operand.storage {
        Storage::Dense => false,
        Storage::Sparse(text) => encoding(text).fills(),
    });
    for (index, value) in &expected {
        prop_assert!(
            found.contains_key(index) || (*value == 0 && !told_apart),
            "{}\n{}{:?} is missing in {:?}",
            text,
            kernel,
            index,
            case
        );
    }
    if told_apart && !inputs_fill {
        prop_assert_eq!(found.len(), expected.len(), "{}\n{}{:?}", text, kernel, case);
    }
    Ok(())
}

/// `PROPTEST_CASES`, as everywhere, or enough for each run.
fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(3000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agree_with_plain_loops(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes)?;
    }
}
