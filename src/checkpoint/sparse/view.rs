//! Views of the arrays of a sparse tensor in a file.
#![allow(unsafe_code, reason = "bytes of a file are read as positions, coordinates and values")]

use super::super::Result;
use super::super::error::CheckpointError;
use super::super::storable::StoredSpec;
use super::{StoredElement, array};
use crate::movement::host;
use crate::sparse::{
    Encoding, LevelSlices, SparseArray, SparseScalar, SparseTensor, SparseTensorRef,
    SparseTensorSpec, StoredSparseSpec, Word,
};
use std::boxed::Box;
use std::vec::Vec;

/// The tensor whose arrays are in `bytes`, without a copy. Everything that reading it relies on is checked.
pub(in super::super) fn view<'a, E: Encoding, T: StoredElement>(
    name: &str,
    spec: &StoredSparseSpec,
    bytes: &'a [u8],
) -> Result<SparseTensorRef<'a, E, T>> {
    let error = |reason| CheckpointError::SparseBytes { name: name.into(), reason };
    if bytes.len() != spec.bytes() {
        return Err(error("the number of bytes differs from that of its arrays"));
    }
    let misplaced =
        || error("the arrays are not aligned in memory, or not as wide as on this machine");
    let mut levels = Vec::with_capacity(spec.encoding().levels().len());
    for level in 0..spec.encoding().levels().len() {
        let positions = array(spec, bytes, SparseArray::Positions(level));
        let coordinates = array(spec, bytes, SparseArray::Coordinates(level));
        // SAFETY: `Position` is sealed, and all of them are unsigned integers: every pattern of bits is one.
        let positions = unsafe { elements::<E::Position>(positions) };
        // SAFETY: the same holds for the words of `Coordinate`, which is sealed too.
        let coordinates = unsafe { elements::<Word<E>>(coordinates) };
        levels.push(LevelSlices {
            positions: of_width(positions, spec, SparseArray::Positions(level))
                .ok_or_else(misplaced)?,
            coordinates: of_width(coordinates, spec, SparseArray::Coordinates(level))
                .ok_or_else(misplaced)?,
        });
    }
    // SAFETY: `HostValue` promises that every pattern of bits is a value, except for `bool`, which no sparse tensor has.
    let values = unsafe { elements::<T>(array(spec, bytes, SparseArray::Values)) };
    let values = of_width(values, spec, SparseArray::Values).ok_or_else(misplaced)?;
    let mut shape = E::Index::default();
    shape.as_mut().copy_from_slice(spec.dims());
    SparseTensorRef::new(shape, &levels, values).map_err(|source| CheckpointError::SparseArrays {
        name: name.into(),
        source: Box::new(source),
    })
}

/// The elements whose bytes these are; `None` if they are not aligned, or if the last element is incomplete.
///
/// # Safety
/// Every pattern of bits must be a `T`.
unsafe fn elements<T>(bytes: &[u8]) -> Option<&[T]> {
    if bytes.is_empty() {
        return Some(&[]);
    }
    // SAFETY: the caller promises that any bytes are elements; the slices before and after are the rest.
    match unsafe { bytes.align_to::<T>() } {
        ([], elements, []) => Some(elements),
        _ => None,
    }
}

/// The elements, if their number is that of the array. It is not on a machine whose `usize` has another width.
fn of_width<'a, T>(
    elements: Option<&'a [T]>,
    spec: &StoredSparseSpec,
    array: SparseArray,
) -> Option<&'a [T]> {
    elements.filter(|elements| elements.len() == spec.len(array))
}

/// The layout of a tensor.
pub(super) fn spec_of<E: Encoding, T: StoredElement>(
    name: &str,
    tensor: &SparseTensor<E, T>,
) -> Result<StoredSparseSpec> {
    let shape = tensor.shape();
    let spec = type_of::<E, T>(&shape.as_ref().iter().copied().map(Some).collect::<Vec<_>>());
    let levels = 0..E::SPEC.levels().len();
    let lengths: Vec<_> = levels
        .map(|level| (tensor.positions(level).len(), tensor.coordinates(level).len()))
        .collect();
    StoredSparseSpec::new(spec, &lengths, tensor.values().len())
        .map_err(|source| CheckpointError::SparseSpec { name: name.into(), source })
}

/// The layout of a tensor, and its bytes.
pub(in super::super) fn stored_bytes<E: Encoding, T: StoredElement>(
    name: &str,
    tensor: &SparseTensor<E, T>,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    let (spec, levels) = (spec_of(name, tensor)?, 0..E::SPEC.levels().len());
    let mut bytes = std::vec![0; spec.bytes()];
    let mut write = |array, from: &[u8]| {
        let range = spec.range(array);
        if range.len() != from.len() {
            let reason = "the arrays are not as wide as on this machine";
            return Err(CheckpointError::SparseBytes { name: name.into(), reason });
        }
        bytes[range].copy_from_slice(from);
        Ok(())
    };
    for level in levels {
        // SAFETY: `Position` is sealed, and all of them are unsigned integers, which have no padding.
        let positions = unsafe { raw(tensor.positions(level)) };
        // SAFETY: the same holds for the words of `Coordinate`, which is sealed too.
        let coordinates = unsafe { raw(tensor.coordinates(level)) };
        write(SparseArray::Positions(level), positions)?;
        write(SparseArray::Coordinates(level), coordinates)?;
    }
    write(SparseArray::Values, host::bytes_of(tensor.values()))?;
    Ok((spec, bytes))
}

/// The bytes of elements.
///
/// # Safety
/// A `T` must not have bytes of padding.
unsafe fn raw<T>(elements: &[T]) -> &[u8] {
    // SAFETY: the bytes are those of the slice, and the caller promises that none of them is padding.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// The type of a tensor of these sizes, `None` for any.
pub(in super::super) fn type_of<E: Encoding, T: SparseScalar>(
    sizes: &[Option<usize>],
) -> SparseTensorSpec {
    SparseTensorSpec::unchecked(sizes, T::TYPE, E::SPEC)
}

/// The stored tensor, if it has the type, some of whose sizes may be open.
pub(in super::super) fn of_type<'s>(
    name: &str,
    stored: &'s StoredSpec,
    wanted: &SparseTensorSpec,
) -> Result<&'s StoredSparseSpec> {
    let is_wanted = |spec: &&StoredSparseSpec| {
        let tensor = spec.tensor();
        let (encoding, element) = (tensor.encoding(), tensor.element());
        encoding == wanted.encoding() && element == wanted.element() && wanted.fits(spec.dims())
    };
    stored.sparse().filter(is_wanted).ok_or_else(|| CheckpointError::SparseType {
        name: name.into(),
        stored: Box::new(*stored),
        wanted: Box::new(*wanted),
    })
}
