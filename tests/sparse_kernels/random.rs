//! Random statements over operands in random encodings, compared with plain loops over all indices.

use crate::case::{Case, Storage, index};
use crate::number::Number;
use crate::reference::{Numbers, evaluate};
use crate::tape::Tape;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tensor_layout::TiledSpec;
use tensor_layout::sparse::{
    BuildError, Duplicates, DynSparseTensor, LevelFormat, LevelSpec, SliceRange, SparseEncoding,
};
use tensor_layout::sparsify::{DynOperand, ElementType, Evaluate, RunError, SparseKernel};

pub(crate) fn encoding(text: &str) -> SparseEncoding {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether several entries at one index can be stored, because the last level distinguishes none of them.
pub(crate) fn keeps(encoding: &SparseEncoding) -> bool {
    let repeats = |level: &LevelSpec| level.properties.nonunique;
    let last = encoding.levels().last().expect("a level");
    let above = &encoding.levels()[..encoding.levels().len() - 1];
    above.iter().all(|level| repeats(level) || level.format == LevelFormat::Dense)
        && (repeats(last) || last.format == LevelFormat::Singleton)
}

/// Entries that an encoding can store.
pub(crate) fn fill(tape: &mut Tape<'_>, text: &str, shape: &[usize]) -> Vec<(Vec<usize>, i64)> {
    let encoding = encoding(text);
    let total: usize = shape.iter().product();
    let mut entries: Vec<(Vec<usize>, i64)> = Vec::new();
    let density = 1 + tape.below(5);
    for position in 0..total {
        if tape.below(6) >= density {
            continue;
        }
        let value = tape.below(9) as i64 - 4;
        let copies = if keeps(&encoding) && tape.once_in(4) { 2 } else { 1 };
        for copy in 0..copies {
            entries.push((index(position, shape), value - copy));
        }
        // Leave out entries that do not fit: more than two of four, or more than there are slots.
        if build::<i64>(&encoding, shape, &entries).is_err() {
            entries.truncate(entries.len() - copies as usize);
        }
    }
    entries
}

/// The handling of several entries at one index that stores as many as possible.
pub(crate) fn duplicates(encoding: &SparseEncoding) -> Duplicates {
    if keeps(encoding) { Duplicates::Keep } else { Duplicates::Error }
}

/// Whether a result does not fit its encoding, which is legitimate.
pub(crate) fn does_not_fit(error: &BuildError) -> bool {
    matches!(
        error,
        BuildError::Structured { .. } | BuildError::Slots { .. } | BuildError::Repeated { .. }
    )
}

/// Whether a loop cannot run as requested.
pub(crate) fn is_about_hint(error: &str) -> bool {
    let known = [
        "the statement has no index",
        "there is no loop over this part",
        "write to the same elements",
        "several threads cannot add entries",
        "is not the outermost",
        "is not the innermost",
        "no two sparse operands are intersected",
        "merges several operands",
    ];
    known.iter().any(|known| error.contains(known))
}

pub(crate) fn build<T: Number>(
    encoding: &SparseEncoding,
    shape: &[usize],
    entries: &[(Vec<usize>, i64)],
) -> Result<DynSparseTensor<T>, BuildError> {
    let entry = |(index, value): &(Vec<usize>, i64)| (index.clone(), T::entry(*value));
    let entries: Vec<_> = entries.iter().map(entry).collect();
    DynSparseTensor::from_coo(*encoding, shape, &entries, duplicates(encoding))
}

/// The operands of a case.
pub(crate) fn operands<T: Number>(case: &Case) -> Vec<DynOperand<T>> {
    let operand = |operand: &crate::case::Operand| match operand.storage {
        Storage::Dense => {
            let values = operand.entries.iter().map(|entry| T::entry(entry.1)).collect();
            DynOperand::dense(&operand.shape, values).expect("as many values")
        }
        Storage::Sparse(text) => {
            let tensor = build(&encoding(text), &operand.shape, &operand.entries);
            tensor.expect("entries that can be stored").into()
        }
    };
    case.operands.iter().map(operand).collect()
}

/// An operand as a slice of a larger tensor, which holds other entries too if its encoding can; `None` if no tensor of the
/// encoding has such a slice.
fn slice<T: Number>(tape: &mut Tape<'_>, operand: &crate::case::Operand) -> Option<DynOperand<T>> {
    let Storage::Sparse(text) = operand.storage else { return None };
    let encoding = encoding(text);
    // A zero in a block looks like what fills the block, and is not an entry of a slice.
    if encoding.fills() && operand.entries.iter().any(|entry| entry.1 == 0) {
        return None;
    }
    let ranges: Vec<SliceRange> = (operand.shape.iter())
        .map(|&size| SliceRange { offset: tape.below(3), size, stride: 1 + tape.below(2) })
        .collect();
    let outer = |range: &SliceRange, x: usize| range.offset + range.stride * x;
    let larger: Vec<usize> =
        ranges.iter().map(|range| outer(range, range.size) + tape.below(2)).collect();
    let at =
        |index: &[usize]| index.iter().zip(&ranges).map(|(&x, range)| outer(range, x)).collect();
    let inside = |index: &[usize]| {
        let mut each = index.iter().zip(&ranges);
        each.all(|(&x, range)| (0..range.size).any(|inner| outer(range, inner) == x))
    };
    let mut entries: Vec<(Vec<usize>, i64)> =
        operand.entries.iter().map(|(index, value)| (at(index), *value)).collect();
    build::<T>(&encoding, &larger, &entries).ok()?;
    for position in 0..larger.iter().product() {
        let index = index(position, &larger);
        if !inside(&index) && tape.once_in(3) {
            entries.push((index, 100));
            if build::<T>(&encoding, &larger, &entries).is_err() {
                entries.pop();
            }
        }
    }
    let tensor = build::<T>(&encoding, &larger, &entries).expect("it could be built before");
    DynOperand::slice(&tensor, &ranges).ok()
}

/// The contents of an output: the sum, for an index that it stores several times.
pub(crate) fn entries<T: Evaluate>(output: &DynOperand<T>) -> BTreeMap<Vec<usize>, T> {
    match output {
        DynOperand::Scalar(value) => BTreeMap::from([(Vec::new(), *value)]),
        DynOperand::Dense { shape, values } => {
            let values = values.iter().enumerate();
            values.map(|(at, value)| (index(at, shape), *value)).collect()
        }
        DynOperand::Tiled { .. } => entries(&output.unpacked()),
        DynOperand::Sparse(tensor) => {
            let mut entries = BTreeMap::new();
            for (index, value) in tensor.to_coo() {
                entries
                    .entry(index)
                    .and_modify(|sum: &mut T| *sum = sum.plus(value))
                    .or_insert(value);
            }
            entries
        }
    }
}

/// A layout for some of the dense operands of a case, and for the output if it is dense.
fn layouts<T: Number>(tape: &mut Tape<'_>, case: &Case) -> Vec<Option<TiledSpec>> {
    let dtype = match T::ELEMENT {
        ElementType::I64 => "s64",
        _ => "f64",
    };
    let output: Vec<usize> = case.target.iter().map(|index| case.sizes[*index]).collect();
    let mut layout = |storage: &Storage, shape: &[usize]| {
        let dense = matches!(storage, Storage::Dense) && !shape.is_empty();
        if !dense || tape.once_in(2) {
            return None;
        }
        let mut order: Vec<usize> = (0..shape.len()).rev().collect();
        order.rotate_left(tape.below(shape.len()));
        let tiles = tape.pick(&["", ":T(2,2)", ":T(4)", ":T(2,32)", ":T(3,64)(3,1)", ":T(*,3)"]);
        let tiles = if shape.len() == 1 { tape.pick(&["", ":T(4)", ":T(128)"]) } else { tiles };
        let text = format!("{dtype}{shape:?}{{{}{tiles}}}", join(&order));
        Some(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
    };
    let operands = case.operands.iter();
    let mut layouts: Vec<_> =
        operands.map(|operand| layout(&operand.storage, &operand.shape)).collect();
    layouts.push(layout(&case.output, &output));
    // A packed operand that is not read is a mistake.
    for (number, layout) in layouts.iter_mut().enumerate().take(case.operands.len()) {
        if !case
            .text()
            .split('{')
            .next_back()
            .is_some_and(|body| body.contains(&format!("{}[", case.operands[number].name)))
        {
            *layout = None;
        }
    }
    layouts
}

fn join(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// The kernel with these layouts: the element types after each `:` or `->` in turn.
fn written(text: &str, element: &str, layouts: &[Option<TiledSpec>]) -> String {
    let (head, body) = text.rsplit_once('{').expect("a statement");
    let element = format!("<{element}>");
    let mut pieces = head.split(&element);
    let mut head = pieces.next().expect("a head").to_string();
    for (piece, layout) in pieces.zip(layouts) {
        match layout {
            Some(layout) => {
                let dense = head.strip_suffix("Dense").expect("a dense operand");
                head = format!("{dense}Packed<tiled!({layout})>");
            }
            None => head += &element,
        }
        head += piece;
    }
    format!("{head}{{{body}")
}

/// A dense operand in a layout, with garbage in the padding.
fn packed<T: Number>(operand: &DynOperand<T>, layout: &TiledSpec, garbage: T) -> DynOperand<T> {
    let DynOperand::Dense { values, .. } = operand else { panic!("a dense operand") };
    let mut packed = DynOperand::packed(*layout, values).expect("as many values");
    if let DynOperand::Tiled { layout, values } = &mut packed {
        for at in (0..layout.len()).filter(|at| layout.index(*at).is_none()) {
            values[at] = garbage;
        }
    }
    packed
}

fn identity<T: Number>(reduction: &str) -> T {
    match reduction {
        "max=" => T::RANGE[0],
        "min=" => T::RANGE[1],
        "*=" => T::from(1),
        _ => T::from(0),
    }
}

/// Makes a case from `bytes`, runs it, and compares the result with plain loops.
pub(crate) fn check<T: Number + std::panic::RefUnwindSafe>(
    bytes: &[u8],
) -> Result<(), TestCaseError> {
    let case = Case::new(&mut Tape::new(bytes));
    let text = case.text().replace("<i64>", &format!("<{}>", T::ELEMENT));
    let layouts = layouts::<T>(&mut Tape::new(&bytes[bytes.len() / 2..]), &case);
    let text = written(&text, T::ELEMENT.name(), &layouts);
    let kernel: SparseKernel = match text.parse() {
        Ok(kernel) => kernel,
        // Not every loop can be outermost, and not every output can be written by several threads.
        Err(error) if case.parallel && is_about_hint(&error.to_string()) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(format!("{text}\n{error}"))),
    };
    let mut operands = operands::<T>(&case);
    for (operand, layout) in operands.iter_mut().zip(&layouts) {
        if let Some(layout) = layout {
            *operand = packed(operand, layout, T::entry(77));
        }
    }
    // The same bytes again, so that the cases stay as they are.
    let mut tape = Tape::new(bytes);
    for (operand, written) in operands.iter_mut().zip(&case.operands) {
        if tape.once_in(2)
            && let Some(slice) = slice(&mut tape, written)
        {
            *operand = slice;
        }
    }
    let run = std::panic::catch_unwind(|| kernel.run_with(&operands, &T::functions()));
    let Ok(run) = run else { return Err(TestCaseError::fail(format!("{text}\n{kernel}"))) };
    let output = match run {
        Ok(output) => output,
        Err(RunError::Build(error)) if does_not_fit(&error) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(format!("{text}\n{kernel}{error}"))),
    };
    let expected = evaluate::<T>(&case, Numbers::same());
    let found = entries(&output);
    // Whether elements that the output does not store differ from zero.
    let told_apart = matches!(&output, DynOperand::Sparse(tensor) if !tensor.encoding().fills());
    let is_sum = matches!(case.reduction, "=" | "+=");
    let full = !matches!(output, DynOperand::Sparse(_));
    let missing = if full || is_sum { identity(case.reduction) } else { T::from(0) };
    for (index, value) in &found {
        let wanted = expected.get(index);
        let same = wanted.map_or(value.is_same(missing), |wanted| {
            !wanted.is_sure || value.is_same(wanted.value)
        });
        prop_assert!(same, "{text}\n{kernel}{value:?} for {wanted:?} at {index:?} of {case:?}");
    }
    for (index, wanted) in &expected {
        prop_assert!(
            found.contains_key(index)
                || (!told_apart && (wanted.value == T::from(0) || !wanted.is_sure)),
            "{text}\n{kernel}{index:?} is missing in {case:?}"
        );
    }
    if told_apart {
        prop_assert_eq!(found.len(), expected.len(), "{}\n{}{:?}", text, kernel, case);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases::cases(1500), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agree_with_plain_loops(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check::<i64>(&bytes)?;
    }

    #[test]
    fn agree_with_plain_loops_over_what_is_infinite(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check::<f64>(&bytes)?;
    }
}
