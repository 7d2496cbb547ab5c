//! Pruned tensors, which keep only the largest `n` of each `m` elements of a row.

use super::super::Result;
use super::super::error::CheckpointError;
use super::super::quantize::unpack_window;
use super::super::storable::StoredSpec;
use super::dynamic::differs;
use super::{StoredElement, unsupported, with_element};
use crate::movement::host::{self, zeroed};
use crate::sparse::{SparseArray, StoredSparseSpec};
use std::format;
use std::ops::Range;
use std::string::String;
use std::vec::Vec;

/// Keeps the `n` largest of each `m` elements of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Keep {
    pub(in super::super) n: usize,
    pub(in super::super) m: usize,
}

impl Keep {
    /// The encoding, in MLIR's text.
    pub(in super::super) fn encoding(self) -> String {
        let Self { n, m } = self;
        let width = if m <= 4 { 2 } else { 8 };
        format!(
            "(i, j) -> (i : dense, j floordiv {m} : dense, j mod {m} : structured[{n}, {m}]), crdWidth = {width}"
        )
    }
}

/// A pruned tensor while its arrays are written.
struct PrunedTensor {
    bytes: Vec<u8>,
    coordinates: Range<usize>,
    values: Range<usize>,
    /// The number of bits of a coordinate: 2 or 8.
    bits: usize,
    keep: Keep,
    /// The coordinates in a group, to be sorted by magnitude.
    in_group: Vec<usize>,
}

/// Prunes each group of elements of the window that begins at `origin` and has the sizes of `to`. Returns the bytes of a tensor
/// in the encoding [`Keep::encoding`]. About `slab` bytes of the array are processed at a time, and each result is read back
/// and compared.
pub(in super::super) fn prune(
    name: &str,
    from: (&StoredSpec, &[u8]),
    origin: &[usize],
    (to, keep): (&StoredSparseSpec, Keep),
    slab: usize,
) -> Result<Vec<u8>> {
    with_element!(
        to.tensor().element(),
        T => of_type::<T>(name, from, origin, (to, keep), slab),
        Err(unsupported(name, to.tensor()))
    )
}

fn of_type<T: StoredElement>(
    name: &str,
    (from, source): (&StoredSpec, &[u8]),
    origin: &[usize],
    (to, keep): (&StoredSparseSpec, Keep),
    slab: usize,
) -> Result<Vec<u8>> {
    let bytes = zeroed::<u8>(to.bytes()).ok_or_else(|| CheckpointError::Write {
        reason: format!("there is no memory for the {} bytes of tensor `{name}`", to.bytes()),
    })?;
    // The encoding is that of a matrix.
    let (&[rows, columns], &[first_row, first_column]) = (to.dims(), origin) else {
        return Err(unsupported(name, to.tensor()));
    };
    let mut pruned = PrunedTensor {
        coordinates: to.range(SparseArray::Coordinates(2)),
        values: to.range(SparseArray::Values),
        bits: to.encoding().draft().coordinate_bits,
        keep,
        in_group: Vec::new(),
        bytes,
    };
    if columns == 0 {
        return Ok(pruned.bytes);
    }
    let (width, groups) = (size_of::<T>(), columns.div_ceil(keep.m));
    let together = (slab / columns.saturating_mul(width)).clamp(1, rows.max(1));
    let mut row_major = Vec::new();
    for row in (0..rows).step_by(together) {
        let count = together.min(rows - row);
        row_major.resize(count * columns * width, 0);
        let origin = [first_row + row, first_column];
        unpack_window(name, from, &origin, &[count, columns], source, &mut row_major)?;
        let numbered = || {
            let rows = row_major.chunks_exact(columns * width);
            rows.flat_map(|row| row.chunks(keep.m * width)).zip(row * groups..)
        };
        numbered().for_each(|(group, number)| pruned.write::<T>(group, number));
        if !numbered().all(|(group, number)| pruned.is_pruned::<T>(group, number)) {
            return Err(differs(name));
        }
    }
    Ok(pruned.bytes)
}

/// The element at a coordinate of a group. A group that the end of its row cuts off is continued with zeros.
fn element<T: StoredElement>(group: &[u8], coordinate: usize) -> T {
    group
        .get(coordinate * size_of::<T>()..)
        .filter(|rest| !rest.is_empty())
        .map_or(T::ZERO, T::from_le)
}

impl PrunedTensor {
    /// Writes the coordinates and values of a group, in the order of the coordinates. Of equal elements the first ones are
    /// kept. If a group has fewer than `n` nonzero elements, its first zeros are stored as well, as in any structured level.
    fn write<T: StoredElement>(&mut self, group: &[u8], number: usize) {
        let Keep { n, m } = self.keep;
        self.in_group.clear();
        self.in_group.extend(0..m);
        self.in_group
            .sort_by(|a, b| element::<T>(group, *b).cmp_magnitude(&element::<T>(group, *a)));
        self.in_group[..n].sort_unstable();
        for (slot, &coordinate) in self.in_group[..n].iter().enumerate() {
            let at = number * n + slot;
            let value = element::<T>(group, coordinate);
            // Stored zeros are positive.
            let value = if value.is_zero() { T::ZERO } else { value };
            value.write_le(&mut self.bytes[self.values.start + at * size_of::<T>()..]);
            let (byte, shift) = (at * self.bits / 8, at * self.bits % 8);
            self.bytes[self.coordinates.start + byte] |= (coordinate << shift) as u8;
        }
    }

    /// Whether the stored elements of a group are elements of the array and no other element is larger.
    fn is_pruned<T: StoredElement>(&self, group: &[u8], number: usize) -> bool {
        let Keep { n, m } = self.keep;
        let mut left: Vec<Option<T>> =
            (0..m).map(|coordinate| Some(element(group, coordinate))).collect();
        let mut last = None;
        let mut least: Option<T> = None;
        for at in number * n..(number + 1) * n {
            let value = T::from_le(&self.bytes[self.values.start + at * size_of::<T>()..]);
            let (byte, shift) = (at * self.bits / 8, at * self.bits % 8);
            let bits = self.bytes[self.coordinates.start + byte] >> shift;
            let coordinate = usize::from(bits) & ((1 << self.bits) - 1);
            let Some(found) = left.get_mut(coordinate).and_then(Option::take) else { return false };
            let same = host::bytes_of(&[value]) == host::bytes_of(&[found])
                || value.is_zero() && found.is_zero();
            if !same || last.is_some_and(|last| last >= coordinate) {
                return false;
            }
            last = Some(coordinate);
            least = match least {
                Some(least) if least.cmp_magnitude(&value).is_lt() => Some(least),
                _ => Some(value),
            };
        }
        let is_less = |other: &T| least.is_some_and(|least| other.cmp_magnitude(&least).is_le());
        left.iter().flatten().all(is_less)
    }
}
