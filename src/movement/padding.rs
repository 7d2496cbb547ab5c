//! Writes padding: zeros, or the value of explicit padding.

use super::compact::CompactPart;
use super::plan::Plan;
use super::transfer::transfer;
use layout_core::parts::{MAX_VALUES, Part};
use layout_core::tiled::{Padded, TiledSpec};

/// The number of bytes that can be zeroed in less time than it takes to find the padding among them: one tile of an
/// accelerator.
const SMALL: usize = 4096;

/// Writes all padding of the array. This can overwrite elements, so it must precede them.
pub(crate) fn write(spec: &TiledSpec, packed: &mut [u8]) {
    match value(spec).filter(|_| spec.len() > spec.elements()) {
        None => zeros(spec, packed),
        Some((padded, value)) => {
            let (map, bits) = (spec.map(), spec.stored_bits());
            packed.fill(0);
            let widened = map.with_dims(padded.widths.as_slice());
            transfer(
                (&Plan::fill(&widened)).into(),
                (spec.dtype(), true),
                (&value, 128),
                (packed, bits),
            );
        }
    }
}

/// [`write`] for padding that is zero. A program with no other padding does not contain the kernels that fill it.
pub(crate) fn zeros(spec: &TiledSpec, packed: &mut [u8]) {
    let (map, bits) = (spec.map(), spec.stored_bits());
    if spec.len() == spec.elements() {
        // No padding, except for the unused bits of the last byte.
        if let Some(last) = packed.last_mut().filter(|_| bits < 8) {
            *last = 0;
        }
    } else if bits < 8 || !is_looked_for(spec) {
        packed.fill(0);
    } else {
        let mut bounds = [0; MAX_VALUES];
        (0..map.values()).for_each(|y| bounds[y] = map.bound(y));
        Padding::of(map.parts(), &bounds[..map.values()], bits / 8, packed).write();
    }
}

/// Whether the padding of an array of whole bytes is searched for. In small arrays, and if dimensions are combined, zeroing the
/// whole array takes less time.
pub(crate) const fn is_looked_for(spec: &TiledSpec) -> bool {
    spec.map().terms().is_empty() && spec.storage_bytes() > SMALL
}

/// The explicit padding of a layout and its value; `None` if the value is zero, like that of other padding.
fn value(spec: &TiledSpec) -> Option<(Padded, [u8; 16])> {
    let padded = spec.padded()?;
    let mut value = spec.dtype().padding_bits(padded.value)?.to_le_bytes();
    if spec.dtype().bits() < 8 {
        value[0] = spec.dtype().normalize(value[0]);
    }
    (value != [0; 16]).then_some((padded, value))
}

/// Finds the padding of an array of whole bytes without combined dimensions.
///
/// The array is a tree: each part of the index map divides the remainder of the part before it. Most subtrees have no padding and
/// are skipped; most others are padding only and are written at once.
pub(crate) struct Padding<'a, P> {
    parts: &'a [P],
    /// The bound of each dimension.
    bounds: &'a [usize],
    /// The bytes of an element.
    width: usize,
    array: &'a mut [u8],
    /// The value of each dimension that the parts above contribute.
    low: [usize; MAX_VALUES],
    /// The largest value that the parts below can add to each dimension.
    free: [usize; MAX_VALUES],
}

/// A part of an index map, in full or in compact form.
pub(crate) trait PaddingPart {
    /// The value that is split, the number that it is divided by, the number of values of the part, and its stride.
    fn numbers(&self) -> [usize; 4];
}

impl PaddingPart for Part {
    #[inline]
    fn numbers(&self) -> [usize; 4] {
        [self.source, self.div, self.size, self.stride]
    }
}

impl PaddingPart for CompactPart {
    #[inline]
    fn numbers(&self) -> [usize; 4] {
        self.map(|number| number as usize)
    }
}

impl<'a, P: PaddingPart> Padding<'a, P> {
    /// Starts from an array, and the parts and bounds of its map.
    pub(crate) fn of(
        parts: &'a [P],
        bounds: &'a [usize],
        width: usize,
        array: &'a mut [u8],
    ) -> Self {
        let mut free = [0; MAX_VALUES];
        for part in parts {
            let [y, div, size, _] = part.numbers();
            free[y] += size.saturating_sub(1) * div;
        }
        Self { parts, bounds, width, array, low: [0; MAX_VALUES], free }
    }

    /// Writes all padding, including that after the last tile.
    pub(crate) fn write(mut self) {
        let len = self.parts.iter().map(|part| part.numbers()[2]).product::<usize>();
        self.array[len * self.width..].fill(0);
        if len > 0 {
            self.write_below(0, 0);
        }
    }

    /// Writes the padding in the subtree of part number `depth`, whose elements start at `at`.
    fn write_below(&mut self, depth: usize, at: usize) {
        if self.is_full() {
            return;
        }
        let [y, div, size, stride] = self.parts[depth].numbers();
        self.free[y] -= (size - 1) * div;
        // Digits below `full` have no padding in this dimension; digits from `empty` on are padding only. For 5 rows in tiles
        // of 2, the digits of the tiles are 0, 1 and 2: `full` is 2, since tiles 0 and 1 are complete, and `empty` is 3.
        let left = self.bounds[y] - self.low[y];
        let empty = left.div_ceil(div).min(size);
        let full = left.saturating_sub(self.free[y]).div_ceil(div).min(size);
        self.array[(at + empty * stride) * self.width..(at + size * stride) * self.width].fill(0);
        let others = (0..self.bounds.len()).all(|other| other == y || self.fits(other));
        for digit in (if others { full } else { 0 })..empty {
            self.low[y] += digit * div;
            self.write_below(depth + 1, at + digit * stride);
            self.low[y] -= digit * div;
        }
        self.free[y] += (size - 1) * div;
    }

    fn is_full(&self) -> bool {
        (0..self.bounds.len()).all(|y| self.fits(y))
    }

    fn fits(&self, y: usize) -> bool {
        self.low[y] + self.free[y] < self.bounds[y]
    }
}
