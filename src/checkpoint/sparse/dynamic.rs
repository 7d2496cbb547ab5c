//! Tensors whose encoding is only known when a file is read.

use super::super::Result;
use super::super::error::CheckpointError;
use super::{StoredElement, array};
use crate::movement::host;
use crate::sparse::storage::Storage;
use crate::sparse::{
    Bits2, Coordinate, Duplicates, DynSparseTensor, LevelParts, Parts, SparseArray,
    SparseTensorSpec, StoredSparseSpec,
};
use core::ops::Range;
use std::boxed::Box;
use std::format;
use std::vec::Vec;

/// The tensor, after checks. Its arrays are copied, and its positions and coordinates get the width of a pointer.
pub(in super::super) fn read<T: StoredElement>(
    name: &str,
    spec: &StoredSparseSpec,
    bytes: &[u8],
) -> Result<DynSparseTensor<T>> {
    let error = |reason| CheckpointError::SparseBytes { name: name.into(), reason };
    if bytes.len() != spec.bytes() {
        return Err(error("the number of bytes differs from that of its arrays"));
    }
    let encoding = spec.encoding();
    let arrays_error =
        |source| CheckpointError::SparseArrays { name: name.into(), source: Box::new(source) };
    let words = |array| numbers(spec, bytes, array, encoding.is_signed());
    let positions = |level| {
        let positions = words(SparseArray::Positions(level));
        let wide =
            positions.map(|number| usize::try_from(number?).ok()).collect::<Option<Vec<_>>>();
        wide.ok_or_else(|| error("a position is too large for this machine"))
    };
    let values = array(spec, bytes, SparseArray::Values).chunks_exact(size_of::<T>());
    let (shape, values) = (spec.dims().to_vec(), values.map(T::from_le).collect());
    let levels = 0..encoding.levels().len();
    if encoding.draft().coordinate_bits == Bits2::BITS {
        // The storage knows how many of the coordinates in the last byte exist.
        let level = |level| {
            let coordinates = array(spec, bytes, SparseArray::Coordinates(level)).to_vec();
            Ok(LevelParts { positions: positions(level)?, coordinates })
        };
        let levels = levels.map(level).collect::<Result<_>>()?;
        let storage =
            Storage::<usize, Bits2, T>::assemble(encoding, Parts { shape, levels, values })
                .map_err(|rejected| arrays_error(rejected.error))?;
        return Ok(crate::sparse::widened(encoding, storage));
    }
    let level = |level| {
        let coordinates = words(SparseArray::Coordinates(level));
        let wide =
            coordinates.map(|number| isize::try_from(number?).ok()).collect::<Option<Vec<_>>>();
        let coordinates =
            wide.ok_or_else(|| error("a coordinate is too large for this machine"))?;
        Ok(LevelParts { positions: positions(level)?, coordinates })
    };
    let levels = levels.map(level).collect::<Result<_>>()?;
    DynSparseTensor::assemble(*encoding, Parts { shape, levels, values })
        .map_err(|rejected| arrays_error(rejected.error))
}

/// The numbers of an array, which are `signed` if they are coordinates that can be negative.
fn numbers<'a>(
    spec: &StoredSparseSpec,
    bytes: &'a [u8],
    of: SparseArray,
    signed: bool,
) -> impl Iterator<Item = Option<i64>> + use<'a> {
    let width = spec.width(of);
    let signed = signed && matches!(of, SparseArray::Coordinates(_));
    array(spec, bytes, of).chunks_exact(width).map(move |word| {
        let negative = signed && word[width - 1] & 0x80 != 0;
        let mut wide = [if negative { 0xFF } else { 0 }; 8];
        wide[..width].copy_from_slice(word);
        match signed {
            true => Some(i64::from_le_bytes(wide)),
            false => i64::try_from(u64::from_le_bytes(wide)).ok(),
        }
    })
}

/// The layout of a tensor, and its bytes.
pub(super) fn write<T: StoredElement>(
    name: &str,
    tensor: &DynSparseTensor<T>,
    to: &SparseTensorSpec,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    let packed = to.encoding().draft().coordinate_bits == Bits2::BITS;
    let words = |coordinates: usize| match packed {
        true => coordinates.div_ceil(Bits2::PER_WORD),
        false => coordinates,
    };
    let levels = 0..to.encoding().levels().len();
    let lengths: Vec<_> = levels
        .clone()
        .map(|level| (tensor.positions(level).len(), words(tensor.coordinates(level).len())))
        .collect();
    let spec = StoredSparseSpec::new(*to, &lengths, tensor.values().len())
        .map_err(|source| CheckpointError::SparseSpec { name: name.into(), source })?;
    let mut bytes = std::vec![0; spec.bytes()];
    for level in levels {
        let (at, width) = range_of(&spec, SparseArray::Positions(level));
        for (to, position) in bytes[at].chunks_exact_mut(width).zip(tensor.positions(level)) {
            to.copy_from_slice(&(*position as u64).to_le_bytes()[..width]);
        }
        let (at, width) = range_of(&spec, SparseArray::Coordinates(level));
        let coordinates = tensor.coordinates(level);
        if packed {
            for (to, group) in bytes[at].iter_mut().zip(coordinates.chunks(Bits2::PER_WORD)) {
                let bits = |(slot, coordinate): (usize, &isize)| (*coordinate as u8) << (2 * slot);
                *to = group.iter().enumerate().map(bits).fold(0, |byte, bits| byte | bits);
            }
        } else {
            for (to, coordinate) in bytes[at].chunks_exact_mut(width).zip(coordinates) {
                to.copy_from_slice(&(*coordinate as i64).to_le_bytes()[..width]);
            }
        }
    }
    let (at, width) = range_of(&spec, SparseArray::Values);
    for (to, value) in bytes[at].chunks_exact_mut(width).zip(tensor.values()) {
        value.write_le(to);
    }
    Ok((spec, bytes))
}

fn range_of(spec: &StoredSparseSpec, array: SparseArray) -> (Range<usize>, usize) {
    (spec.range(array), spec.width(array))
}

/// The tensor in another encoding, after it was read back and found to have the same entries.
pub(super) fn convert<T: StoredElement>(
    name: &str,
    spec: &StoredSparseSpec,
    bytes: &[u8],
    to: &SparseTensorSpec,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    let mut entries = read::<T>(name, spec, bytes)?.to_coo();
    let tensor =
        DynSparseTensor::from_coo(*to.encoding(), spec.dims(), &entries, Duplicates::Error)
            .map_err(|source| CheckpointError::SparseBuild {
                name: name.into(),
                source: Box::new(source),
            })?;
    let (spec, bytes) = write(name, &tensor, to)?;
    let mut found = read::<T>(name, &spec, &bytes)?.to_coo();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    found.sort_by(|a, b| a.0.cmp(&b.0));
    // An encoding that adds zeros does not distinguish them from zeros that were stored before.
    if to.encoding().fills() {
        entries.retain(|(_, value)| !value.is_zero());
    }
    let same = entries.iter().zip(&found).all(|((at, value), (other_at, other))| {
        at == other_at && host::bytes_of(&[*value]) == host::bytes_of(&[*other])
    });
    match same && entries.len() == found.len() {
        true => Ok((spec, bytes)),
        false => Err(differs(name)),
    }
}

/// The error that a tensor differs from the one that was written.
pub(super) fn differs(name: &str) -> CheckpointError {
    let reason =
        format!("tensor `{name}` unpacks to different entries; this is a bug in the library");
    CheckpointError::Write { reason }
}
