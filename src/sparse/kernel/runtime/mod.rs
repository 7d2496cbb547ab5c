//! The functions and types that generated kernels use. Do not use them directly: they may change in any release.

mod constant;
mod cursor;
mod lazy;
mod marks;
mod packed;
#[cfg(not(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "no_panels.rs"]
mod panels;
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod panels;
mod rows;
mod workspace;

pub use super::index::{check_elements, element};
#[cfg(feature = "std")]
pub use super::number::Real;
pub use super::number::{Number, Ordered, truth};
pub use super::widen::WidenTo;
pub use crate::cpu::{Work, run};
pub use crate::sparse::{Appender, Gather, LevelRef, RowGather};
pub use constant::{Constant, constant};
pub use cursor::{CoordinateMap, LevelCursor};
pub use layout_core::parts::Digit;
pub use marks::Marks;
pub use packed::{
    PackedValues, Stored, pack, packed_output, row_major, same_packed_shape, same_rank, stored,
    unpacked,
};
pub use panels::{blocks_by_panels, structured_by_panels};
pub use rows::{
    Parts, Rows, first_value, in_few_parts, in_parts, in_parts_of, joined, listed, parts, share,
    sum_of_parts,
};
pub use workspace::Workspace;

use super::error::KernelError;
use crate::cpu::{array, prefetch_element};
use crate::sparse::memory::MEMORY;
use crate::sparse::{Cast, Duplicates, Encoding, SparseElement, SparseTensor};
pub use alloc::vec::Vec;

/// A size, at least zero. A size that does not fit becomes the largest number, so that no memory can be allocated for it.
#[inline(always)]
pub fn size(size: i128) -> usize {
    size.clamp(0, isize::MAX as i128) as usize
}

/// A list of `len` copies of `value`.
///
/// # Errors
/// If memory for it cannot be allocated.
pub fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>, KernelError> {
    MEMORY.filled(len, value).map_err(|_| KernelError::OutOfMemory { values: len })
}

/// Overwrites a list with `len` copies of `value`: a row of an array that is computed in the same loop.
///
/// # Errors
/// If memory for it cannot be allocated.
#[inline(always)]
pub fn row<T: Copy>(list: &mut Vec<T>, len: usize, value: T) -> Result<&mut [T], KernelError> {
    list.clear();
    if list.try_reserve(len).is_err() {
        return Err(KernelError::OutOfMemory { values: len });
    }
    list.resize(len, value);
    Ok(list)
}

/// The tensor of entries in any order. Entries at the same index are reduced to one.
///
/// # Errors
/// If the encoding cannot store them.
pub fn collected<E: Encoding, T: SparseElement>(
    shape: E::Index,
    mut entries: Vec<(E::Index, T::Wide)>,
    unique: bool,
    reduce: impl Fn(T::Wide, T::Wide) -> T::Wide,
) -> Result<SparseTensor<E, T>, KernelError> {
    if !unique {
        entries.sort_by(|(a, _), (b, _)| a.as_ref().cmp(b.as_ref()));
        entries.dedup_by(|(index, value), (first, sum)| {
            let same = index == first;
            if same {
                *sum = reduce(*sum, *value);
            }
            same
        });
    }
    let narrow = |(index, value): (E::Index, T::Wide)| (index, T::narrow(value));
    let entries: Vec<_> = entries.into_iter().map(narrow).collect();
    Ok(SparseTensor::from_coo(shape, &entries, Duplicates::Error)?)
}

/// A tensor in another encoding. It includes the zeros that its own encoding adds, so that loops over either visit the same
/// entries. Entries at the same index are summed. Empty slots are left out, because they have no index.
///
/// # Errors
/// If the encoding cannot store it.
pub fn converted<E: Encoding, F: Encoding<Index = E::Index>, T: SparseElement>(
    tensor: &SparseTensor<E, T>,
) -> Result<SparseTensor<F, T>, KernelError> {
    Ok(SparseTensor::from_coo(tensor.shape(), &entries_with_fill(tensor), Duplicates::Sum)?)
}

/// [`converted`], with each value widened before any are summed.
///
/// # Errors
/// If the encoding cannot store it.
pub fn converted_wide<E, F, T, W>(
    tensor: &SparseTensor<E, T>,
) -> Result<SparseTensor<F, W>, KernelError>
where
    E: Encoding,
    F: Encoding<Index = E::Index>,
    T: SparseElement + WidenTo<W>,
    W: SparseElement,
{
    converted_by(tensor, WidenTo::widen_to)
}

/// [`converted`], with each value converted as Rust's `as` does before any are summed.
///
/// # Errors
/// If the encoding cannot store it.
pub fn converted_cast<E, F, T, W>(
    tensor: &SparseTensor<E, T>,
) -> Result<SparseTensor<F, W>, KernelError>
where
    E: Encoding,
    F: Encoding<Index = E::Index>,
    T: SparseElement + Cast<W>,
    W: SparseElement,
{
    converted_by(tensor, Cast::cast)
}

/// [`converted`], with a function of each value applied before any are summed.
fn converted_by<E, F, T, W>(
    tensor: &SparseTensor<E, T>,
    convert: impl Fn(T) -> W,
) -> Result<SparseTensor<F, W>, KernelError>
where
    E: Encoding,
    F: Encoding<Index = E::Index>,
    T: SparseElement,
    W: SparseElement,
{
    let entries = entries_with_fill(tensor).into_iter();
    let entries: Vec<_> = entries.map(|(index, value)| (index, convert(value))).collect();
    Ok(SparseTensor::from_coo(tensor.shape(), &entries, Duplicates::Sum)?)
}

/// The entries of a tensor in storage order, including the zeros that its encoding adds, but without empty slots, which have no
/// index.
pub(crate) fn entries_with_fill<E: Encoding, T: SparseElement>(
    tensor: &SparseTensor<E, T>,
) -> Vec<(E::Index, T)> {
    let mut entries = Vec::with_capacity(tensor.number_of_entries());
    tensor.for_each(|index, value| {
        if !(const { E::SPEC.counts() } && value.is_zero()) {
            entries.push((index, *value));
        }
    });
    entries
}

/// A tensor with other values.
///
/// # Panics
/// If their number differs.
pub fn with_values<E: Encoding, U, T: SparseElement>(
    tensor: SparseTensor<E, U>,
    values: Vec<T::Wide>,
) -> SparseTensor<E, T> {
    tensor.map_values(|_| T::narrow_all(values))
}

/// Calls `f` with the values of an output in the type in which they are added up: in place, or in a copy.
///
/// # Errors
/// The error of `f`, or if memory for the copy cannot be allocated. The values are then unchanged.
#[inline(always)]
pub fn in_wide<T: SparseElement>(
    values: &mut [T],
    f: impl FnOnce(&mut [T::Wide]) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    if let Some(values) = T::as_wide(values) {
        return f(values);
    }
    let mut wide = filled(values.len(), T::Wide::ZERO)?;
    wide.iter_mut().zip(&*values).for_each(|(wide, value)| *wide = value.widen());
    f(&mut wide)?;
    values.iter_mut().zip(wide).for_each(|(value, wide)| *value = T::narrow(wide));
    Ok(())
}

/// `W` values, starting at position `at`.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn lanes<T, const W: usize>(values: &[T], at: usize) -> &[T; W] {
    match values[at..].first_chunk() {
        Some(lanes) => lanes,
        None => panic!("{W} values from {at} on reach past the end of {}", values.len()),
    }
}

/// The results of `f` for an array of values.
#[inline(always)]
pub fn each<T: Copy, U: Copy, const W: usize>(values: &[T; W], f: impl Fn(T) -> U) -> [U; W] {
    array(|at: usize| f(values[at]))
}

/// The distance in values at which [`stored_lanes`] prefetches.
const AHEAD: usize = 512;

/// The number of elements of a type in a cache line of 64 bytes, at least one.
const fn in_line<T>() -> usize {
    if size_of::<T>() == 0 { usize::MAX } else { 64usize.div_ceil(size_of::<T>()) }
}

/// Prefetches `W` values, starting at position `at`.
#[inline(always)]
fn ask<T, const W: usize>(values: &[T], at: usize) {
    let mut lane = 0;
    while lane < W {
        prefetch_element(values, at + lane);
        lane = lane.saturating_add(const { in_line::<T>() });
    }
}

/// [`lanes`] for consecutive values of a tensor: also prefetches values that follow.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn stored_lanes<T, const W: usize>(values: &[T], at: usize) -> &[T; W] {
    ask::<T, W>(values, at + AHEAD);
    lanes(values, at)
}

/// The distance in entries at which [`ask_ahead`] and [`ask_below`] prefetch.
const ENTRIES_AHEAD: usize = 8;

/// Prefetches the `W` values, starting at `row(coordinate)`, that an entry slightly after `position` will read.
#[inline(always)]
pub fn ask_ahead<E: Encoding, const LEVEL: usize, T, const W: usize>(
    level: LevelRef<'_, E, LEVEL>,
    position: usize,
    values: &[T],
    row: impl Fn(usize) -> usize,
) {
    if let Some(coordinate) = level.coordinate_ahead(position + ENTRIES_AHEAD) {
        ask::<T, W>(values, row(coordinate));
    }
}

/// Prefetches the segment of another operand's last level that an entry slightly after `position` will read.
#[inline(always)]
pub fn ask_below<E: Encoding, const LEVEL: usize, F: Encoding, const BELOW: usize, T>(
    level: LevelRef<'_, E, LEVEL>,
    position: usize,
    below: LevelRef<'_, F, BELOW>,
    values: &[T],
) {
    if let Some(coordinate) = level.coordinate_ahead(position + ENTRIES_AHEAD) {
        below.ask_below(coordinate, values);
    }
}

/// `W` values, starting at position `at`, as a mutable array.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn lanes_mut<T, const W: usize>(values: &mut [T], at: usize) -> &mut [T; W] {
    let len = values.len();
    match values[at..].first_chunk_mut() {
        Some(lanes) => lanes,
        None => panic!("{W} values from {at} on reach past the end of {len}"),
    }
}

/// The coordinates of a level of an encoding, for an array of a shape: the smallest one, and their number.
#[inline]
pub fn extent<E: Encoding>(shape: E::Index, level: usize) -> (usize, usize) {
    let extent = E::SPEC.levels()[level].expr.extent(shape.as_ref());
    extent.map_or((0, 0), |extent| (extent.least as usize, extent.size))
}

/// Takes a tensor whose memory will be reused, and leaves an empty tensor in its place.
///
/// # Errors
/// If memory cannot be allocated.
pub fn taken<E: Encoding, T: SparseElement>(
    tensor: &mut SparseTensor<E, T>,
) -> Result<SparseTensor<E, T>, KernelError> {
    let empty = SparseTensor::from_coo(E::Index::default(), &[], Duplicates::Error)?;
    Ok(core::mem::replace(tensor, empty))
}

/// Checks that the size of an index in an operand is `expected`, its size in `from`.
///
/// # Errors
/// If the sizes differ. The error contains both.
#[inline]
pub fn same_size(
    index: &'static str,
    (operand, size): (&'static str, usize),
    (from, expected): (&'static str, usize),
) -> Result<(), KernelError> {
    match size == expected {
        true => Ok(()),
        false => Err(KernelError::Size { index, operand, size, expected, from }),
    }
}

/// Checks that the given output has the shape that the kernel writes.
///
/// # Errors
/// If the sizes differ. The error contains both.
#[inline]
pub fn same_shape<const RANK: usize>(
    operand: &'static str,
    shape: [usize; RANK],
    expected: [usize; RANK],
) -> Result<(), KernelError> {
    for (dim, (size, expected)) in shape.into_iter().zip(expected).enumerate() {
        if size != expected {
            return Err(KernelError::Output { operand, dim, size, expected });
        }
    }
    Ok(())
}

/// Checks that the given output has the positions and coordinates of an operand.
///
/// # Errors
/// If not.
pub fn same_pattern<E: Encoding<Index = [usize; RANK]>, T, U, const RANK: usize>(
    (operand, output): (&'static str, &SparseTensor<E, T>),
    (from, tensor): (&'static str, &SparseTensor<E, U>),
) -> Result<(), KernelError> {
    same_shape(operand, output.shape(), tensor.shape())?;
    let (given, expected) = (&output.storage.parts, &tensor.storage.parts);
    match given.levels == expected.levels && given.values.len() == expected.values.len() {
        true => Ok(()),
        false => Err(KernelError::Pattern { operand, from }),
    }
}

/// Combines the entries of a given output, or those of them that are `kept`, with the entries that a kernel has computed.
///
/// # Errors
/// If the encoding cannot store them all. The output is then unchanged.
pub fn accumulate<E: Encoding, T: SparseElement>(
    output: &mut SparseTensor<E, T>,
    kept: Option<SparseTensor<E, T>>,
    made: SparseTensor<E, T>,
    combine: impl Fn(T::Wide, T::Wide) -> T::Wide,
) -> Result<(), KernelError> {
    let combine = |a: T, b: T| T::narrow(combine(a.widen(), b.widen()));
    match kept {
        Some(mut kept) => {
            kept.merge(made, combine)?;
            *output = kept;
        }
        None => output.merge(made, combine)?,
    }
    Ok(())
}

/// A tensor that stores a zero for each index.
///
/// # Errors
/// If memory for it cannot be allocated.
pub fn full<E: Encoding, T: SparseElement, const LEVELS: usize>(
    shape: E::Index,
) -> Result<SparseTensor<E, T>, KernelError> {
    Ok(Appender::<E, T, LEVELS>::new(shape)?.finish()?)
}
