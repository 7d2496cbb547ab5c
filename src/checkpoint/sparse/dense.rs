//! Row-major arrays from sparse tensors, and sparse tensors from arrays of any layout.

use super::super::Result;
use super::super::error::CheckpointError;
use super::super::header::total;
use super::super::quantize::unpack_window;
use super::super::storable::StoredSpec;
use super::dynamic::{differs, read, write};
use super::{StoredElement, unsupported, with_element};
use crate::sparse::{
    BuildError, Duplicates, DynSparseTensor, SparseElement, SparseTensorSpec, StoredSparseSpec,
};
use std::boxed::Box;
use std::vec::Vec;

/// The elements of a sparse tensor in row-major order, as bytes.
pub(in super::super) fn dense_bytes(
    name: &str,
    spec: &StoredSparseSpec,
    bytes: &[u8],
) -> Result<Vec<u8>> {
    with_element!(
        spec.tensor().element(), T => scatter(name, &read::<T>(name, spec, bytes)?),
        Err(unsupported(name, spec.tensor()))
    )
}

/// The elements of a tensor in row-major order, as bytes. Those with the same index are added up.
fn scatter<T: StoredElement>(name: &str, tensor: &DynSparseTensor<T>) -> Result<Vec<u8>> {
    let mut dense = zeros(name, tensor.shape(), size_of::<T>())?;
    for (index, value) in tensor.to_coo() {
        let at = index.iter().zip(tensor.shape()).fold(0, |at, (x, size)| at * size + x);
        let to = &mut dense[at * size_of::<T>()..][..size_of::<T>()];
        let before = T::from_le(to);
        // Adding to a positive zero would change the sign of a negative zero.
        let sum = match before.is_zero() {
            true => value,
            false => T::narrow(T::Wide::plus(before.widen(), value.widen())),
        };
        sum.write_le(to);
    }
    Ok(dense)
}

/// The memory for a row-major array.
fn zeros(name: &str, shape: &[usize], width: usize) -> Result<Vec<u8>> {
    let len = total(width, shape);
    len.and_then(crate::movement::host::zeroed::<u8>).ok_or_else(|| {
        let source = BuildError::OutOfMemory { level: 0, positions: len.unwrap_or(usize::MAX) };
        CheckpointError::SparseBuild { name: name.into(), source: Box::new(source) }
    })
}

/// The elements of a tiled or block-scaled array in row-major order, as bytes.
pub(super) fn unpack(name: &str, from: &StoredSpec, bytes: &[u8]) -> Result<Vec<u8>> {
    let dims = from.dims();
    let mut dense = zeros(name, dims, from.unpacked().byte_width())?;
    unpack_window(name, from, &std::vec![0; dims.len()], dims, bytes, &mut dense)?;
    Ok(dense)
}

/// The nonzero elements of an array as a sparse tensor, which has been read back for comparison.
pub(super) fn build<T: StoredElement>(
    name: &str,
    (from, bytes): (&StoredSpec, &[u8]),
    to: &SparseTensorSpec,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    let (dims, dense) = (from.dims(), unpack(name, from, bytes)?);
    let tensor = match dims.len() {
        1 => of_rank::<T, 1>(dims, &dense, to),
        2 => of_rank::<T, 2>(dims, &dense, to),
        3 => of_rank::<T, 3>(dims, &dense, to),
        4 => of_rank::<T, 4>(dims, &dense, to),
        // No encoding has more dimensions.
        _ => of_rank::<T, 8>(dims, &dense, to),
    };
    let tensor = tensor.map_err(|source| CheckpointError::SparseBuild {
        name: name.into(),
        source: Box::new(source),
    })?;
    let (spec, bytes) = write(name, &tensor, to)?;
    let found = scatter(name, &read::<T>(name, &spec, &bytes)?)?;
    // A zero that is not stored is positive.
    let same =
        |(a, b): (&[u8], &[u8])| a == b || T::from_le(a).is_zero() && T::from_le(b).is_zero();
    match dense.chunks_exact(size_of::<T>()).zip(found.chunks_exact(size_of::<T>())).all(same) {
        true => Ok((spec, bytes)),
        false => Err(differs(name)),
    }
}

/// [`build`] for arrays of at most `RANK` dimensions, so that no index is allocated.
fn of_rank<T: StoredElement, const RANK: usize>(
    dims: &[usize],
    dense: &[u8],
    to: &SparseTensorSpec,
) -> Result<DynSparseTensor<T>, BuildError> {
    let entry = |(at, bytes): (usize, &[u8])| {
        let value = T::from_le(bytes);
        let mut index = Index::<RANK> { at: [0; RANK], rank: dims.len() as u8 };
        let mut rest = at;
        for (x, size) in index.at.iter_mut().zip(dims).rev() {
            *x = rest % size;
            rest /= size;
        }
        (!value.is_zero()).then_some((index, value))
    };
    let entries: Vec<_> =
        dense.chunks_exact(size_of::<T>()).enumerate().filter_map(entry).collect();
    DynSparseTensor::from_coo(*to.encoding(), dims, &entries, Duplicates::Error)
}

/// An index of up to `RANK` numbers.
struct Index<const RANK: usize> {
    at: [usize; RANK],
    rank: u8,
}

impl<const RANK: usize> AsRef<[usize]> for Index<RANK> {
    fn as_ref(&self) -> &[usize] {
        &self.at[..usize::from(self.rank)]
    }
}
