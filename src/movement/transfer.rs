//! Packs, unpacks and relayouts bytes: the code that does not depend on types. All checks precede the first write.

use super::element::AnyWidth;
use super::error::PackError;
use super::execute::{Planned, execute, execute_whole_bytes};
use super::inner::{BitBuffers, WholeBytes, are_values};
use super::narrow::{PackBits, UnpackBits};
use super::padding;
use super::plan::Plan;
use super::step::{ArrayFacts, Program, Step};
use crate::cpu::{Cpu, Stores};
use layout_core::dtype::DType;
use layout_core::parts::IndexMap;
use layout_core::tiled::TiledSpec;

/// The number of bytes that are checked together. The value that does not fit is searched for only if the check fails.
const CHUNK: usize = 4096;

/// The index map of the row-major array of a layout.
pub(crate) const fn row_major(spec: &TiledSpec) -> IndexMap {
    match IndexMap::row_major(spec.dims()) {
        Some(map) => map,
        None => panic!("a layout holds at least its elements"),
    }
}

/// The plan between two layouts of the same shape.
pub(crate) const fn plan<'a>(source: &'a IndexMap, destination: &'a IndexMap) -> Plan<'a> {
    match Plan::new(source, destination) {
        Some(plan) => plan,
        None => panic!("the layouts must have the same shape"),
    }
}

/// The program to pack or to unpack an array, if elements are moved unchanged.
pub(crate) const fn program(plan: &Plan<'_>, spec: &TiledSpec, unpack: bool) -> Option<Program> {
    if !is_plain(spec) {
        return None;
    }
    let bits = spec.stored_bits();
    let (rows, packed) = (spec.elements() * (bits / 8), spec.storage_bytes());
    let len = if unpack { [packed, rows] } else { [rows, packed] };
    let zero_padding = !unpack && spec.padded().is_none();
    Program::of(&plan.nest, ArrayFacts { width: bits / 8, len, zero_padding })
}

/// Whether elements are moved unchanged, in one buffer of known size.
pub(crate) const fn is_plain(spec: &TiledSpec) -> bool {
    let bits = spec.stored_bits();
    let same = bits >= 8 && bits == host_bits(spec.dtype()) && spec.dtype().bits() >= 8;
    same && is_one_buffer(spec)
}

/// Whether an array is one buffer of known size.
pub(crate) const fn is_one_buffer(spec: &TiledSpec) -> bool {
    spec.splits().is_empty() && spec.draft().is_bounded()
}

/// Host values as bytes: any bytes, or the bytes of a slice, which need no check if every value of its type is valid.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    Bytes(&'a [u8]),
    Slice(&'a [u8]),
}

impl Values<'_> {
    /// Whether all of them are known to be values of the element type.
    const fn fit(&self, dtype: DType) -> bool {
        matches!((self, dtype), (Values::Slice(_), DType::PRED))
    }
}

/// Packs one host value for each element.
pub(crate) fn pack(
    spec: &TiledSpec,
    planned: Planned<'_>,
    values: Values<'_>,
    packed: &mut [u8],
) -> Result<(), PackError> {
    let (Values::Bytes(row_major) | Values::Slice(row_major)) = values;
    check_pack(spec, spec.elements(), row_major, packed.len())?;
    let (dtype, bits) = (spec.dtype(), spec.stored_bits());
    let zero_padding = spec.padded().is_none();
    let valid = values.fit(dtype);
    if bits < 8 && host_bits(dtype) == 8 {
        padding::write(spec, packed);
        let buffers = &mut if valid { BitBuffers::new() } else { BitBuffers::checking(dtype) };
        let (source, destination, cpu) = (row_major, packed, Cpu::detect());
        let streaming = Stores::of(source.len(), destination.len()).begin();
        execute(
            planned,
            &mut PackBits { source, destination, bits, cpu, zero_padding, streaming, buffers },
        );
        return if buffers.is_valid() { Ok(()) } else { check_values(dtype, row_major) };
    }
    if !valid {
        check_values(dtype, row_major)?;
    }
    padding::write(spec, packed);
    transfer(planned, (dtype, zero_padding), (row_major, host_bits(dtype)), (packed, bits));
    Ok(())
}

/// Packs a window of `elements` elements, and writes nothing else.
pub(crate) fn pack_window(
    spec: &TiledSpec,
    planned: Planned<'_>,
    elements: usize,
    values: Values<'_>,
    packed: &mut [u8],
) -> Result<(), PackError> {
    let (Values::Bytes(row_major) | Values::Slice(row_major)) = values;
    check_pack(spec, elements, row_major, packed.len())?;
    if !values.fit(spec.dtype()) {
        check_values(spec.dtype(), row_major)?;
    }
    let (dtype, bits) = (spec.dtype(), spec.stored_bits());
    transfer(planned, (dtype, false), (row_major, host_bits(dtype)), (packed, bits));
    Ok(())
}

fn check_pack(
    spec: &TiledSpec,
    elements: usize,
    row_major: &[u8],
    packed: usize,
) -> Result<(), PackError> {
    check_layout(spec)?;
    check_row_major(spec, elements, row_major.len())?;
    check_packed(spec, packed)
}

/// Unpacks into `row_major`, which has one host value for each element.
pub(crate) fn unpack(
    spec: &TiledSpec,
    planned: Planned<'_>,
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    unpack_window(spec, planned, spec.elements(), packed, row_major)
}

/// Unpacks a window of `elements` elements.
pub(crate) fn unpack_window(
    spec: &TiledSpec,
    planned: Planned<'_>,
    elements: usize,
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    check_layout(spec)?;
    check_packed(spec, packed.len())?;
    check_row_major(spec, elements, row_major.len())?;
    let (dtype, bits) = (spec.dtype(), spec.stored_bits());
    let host = HostBytes { dtype, stored_bits: bits, bytes: row_major };
    // The row-major array has no padding: an element of the next row follows the end of a row of the window.
    transfer(planned, (dtype, false), (packed, bits), (&mut *host.bytes, host_bits(dtype)));
    Ok(())
}

/// Moves an array from one layout to another.
pub(crate) fn relayout(
    planned: Planned<'_>,
    (source, from): (&TiledSpec, &[u8]),
    (destination, to): (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    check_relayout((source, from), (destination, to.len()))?;
    padding::write(destination, to);
    let zero_padding = destination.padded().is_none();
    let (from_bits, to_bits) = (source.stored_bits(), destination.stored_bits());
    transfer(planned, (source.dtype(), zero_padding), (from, from_bits), (to, to_bits));
    Ok(())
}

/// Moves a window of an array from one layout to another, and writes nothing else.
pub(crate) fn relayout_window(
    planned: Planned<'_>,
    (source, from): (&TiledSpec, &[u8]),
    (destination, to): (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    check_relayout((source, from), (destination, to.len()))?;
    let (from_bits, to_bits) = (source.stored_bits(), destination.stored_bits());
    transfer(planned, (source.dtype(), false), (from, from_bits), (to, to_bits));
    Ok(())
}

fn check_relayout(
    (source, from): (&TiledSpec, &[u8]),
    (destination, to): (&TiledSpec, usize),
) -> Result<(), PackError> {
    check_layout(source)?;
    check_layout(destination)?;
    check_packed(source, from.len())?;
    check_packed(destination, to)
}

/// Moves the elements of an array. The last two arguments are the bytes, and the bits for each element, of source and destination.
/// If `zero_padding`, padding next to elements is zero, and may be written together with them.
pub(crate) fn transfer(
    planned: Planned<'_>,
    (dtype, zero_padding): (DType, bool),
    (source, source_bits): (&[u8], usize),
    (destination, destination_bits): (&mut [u8], usize),
) {
    let cpu = Cpu::detect();
    match (source_bits, destination_bits) {
        (from @ 8.., to) if from == to => {
            if let Some(program) = planned.program {
                return run(program.steps(), source, destination);
            }
            let len = [source.len(), destination.len()];
            let arrays = ArrayFacts { width: from / 8, len, zero_padding };
            execute_whole_bytes(planned, arrays, &mut WholeBytes::new(source, destination, cpu));
        }
        (8, bits @ ..8) => {
            let streaming = Stores::of(source.len(), destination.len()).begin();
            let buffers = &mut BitBuffers::of_stored(dtype);
            execute(
                planned,
                &mut PackBits { source, destination, bits, cpu, zero_padding, streaming, buffers },
            )
        }
        (bits @ ..8, 8) => {
            let streaming = Stores::of(source.len(), destination.len()).begin();
            let buffers = &mut BitBuffers::new();
            execute(
                planned,
                &mut UnpackBits { dtype, source, destination, bits, cpu, streaming, buffers },
            );
        }
        _ => execute(
            planned,
            &mut AnyWidth { dtype, source, source_bits, destination, destination_bits },
        ),
    }
}

/// Runs the steps of a program.
pub(crate) fn run(steps: &[Step], source: &[u8], destination: &mut [u8]) {
    WholeBytes::new(source, destination, Cpu::detect()).run(steps, [0, 0]);
}

/// The bits of a host value.
pub(crate) const fn host_bits(dtype: DType) -> usize {
    dtype.byte_width() * 8
}

/// Host values that are being written. However the writing ends, each of them is then a value of its type.
struct HostBytes<'a> {
    dtype: DType,
    stored_bits: usize,
    bytes: &'a mut [u8],
}

impl Drop for HostBytes<'_> {
    fn drop(&mut self) {
        // Bytes are moved unchanged; elements of other widths have been normalized when they were moved.
        if self.dtype.bits() < 8 && self.stored_bits == 8 {
            let dtype = self.dtype;
            self.bytes.iter_mut().for_each(|byte| *byte = dtype.normalize(*byte));
        }
    }
}

/// Checks that the array is one buffer of known size.
pub(crate) fn check_layout(spec: &TiledSpec) -> Result<(), PackError> {
    if let Some(dim) = (0..spec.rank()).find(|&dim| spec.draft().is_unbounded(dim)) {
        return Err(PackError::Unbounded { dim, layout: (*spec).into() });
    }
    if !spec.splits().is_empty() {
        return Err(PackError::Split { layout: (*spec).into() });
    }
    Ok(())
}

/// Checks that a row-major array has as many elements as the layout.
pub(crate) fn check_elements(spec: &TiledSpec, actual: usize) -> Result<(), PackError> {
    check_layout(spec)?;
    let expected = spec.elements();
    if actual == expected {
        return Ok(());
    }
    Err(PackError::RowMajorLength { actual, expected, layout: (*spec).into() })
}

/// The error for the lengths of two arrays, one of which does not fit the layout.
#[cold]
#[inline(never)]
pub(crate) fn check_lengths(
    spec: &TiledSpec,
    elements: usize,
    packed: usize,
) -> Result<(), PackError> {
    check_elements(spec, elements)?;
    check_packed(spec, packed)
}

fn check_row_major(spec: &TiledSpec, elements: usize, actual: usize) -> Result<(), PackError> {
    let expected = elements * spec.dtype().byte_width();
    if actual == expected {
        return Ok(());
    }
    Err(PackError::RowMajorBytes { actual, expected, layout: (*spec).into() })
}

/// Checks that a packed array has the length of the layout.
pub(crate) fn check_packed(spec: &TiledSpec, actual: usize) -> Result<(), PackError> {
    let expected = spec.storage_bytes();
    if actual == expected {
        return Ok(());
    }
    Err(PackError::PackedLength { actual, expected, layout: (*spec).into() })
}

fn check_values(dtype: DType, row_major: &[u8]) -> Result<(), PackError> {
    if dtype.bits() >= 8 {
        return Ok(());
    }
    for (i, chunk) in row_major.chunks(CHUNK).enumerate() {
        if !are_values(dtype, chunk)
            && let Some(at) = chunk.iter().position(|&byte| dtype.normalize(byte) != byte)
        {
            return Err(PackError::Value { byte: chunk[at], position: i * CHUNK + at, dtype });
        }
    }
    Ok(())
}
