//! The order of dimensions that gives the elements of a reshaped array the offsets that they have in another array.

use super::draft::Draft;
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::MAX_RANK;

/// A search from the most minor dimension on.
///
/// Where the elements along the most minor dimensions lie does not depend on those that are more major. The next
/// dimension of more than one value is therefore known: its first step must be as long as in the array, and no two
/// elements of the array have the same offset. Only dimensions of one value, which fill entries of a tile, can be
/// anywhere; they are all alike.
pub(super) struct Orders<'a> {
    array: &'a TiledSpec,
    /// The reshaped array, in any order.
    draft: Draft,
}

impl<'a> Orders<'a> {
    /// The array of `draft` in an order that moves no byte of `array`; `None` if there is none.
    pub(super) const fn of(array: &'a TiledSpec, draft: Draft) -> Option<TiledSpec> {
        let Ok(any) = draft.validate() else { return None };
        if any.elements() != array.elements() || !array.is_static() || array.is_empty() {
            return None;
        }
        Self { array, draft }.extend(List::new(0), 0)
    }

    /// Appends the dimensions that are left to those of `order`; `taken` has a bit for each of these.
    const fn extend(&self, order: List<usize, MAX_RANK>, taken: u16) -> Option<TiledSpec> {
        let dims = self.draft.dims.as_slice();
        if order.len() == dims.len() {
            return match (Draft { minor_to_major: order, ..self.draft }).validate() {
                Ok(spec) if spec.same_bytes(self.array) => Some(spec),
                _ => None,
            };
        }
        let mut unit_tried = false;
        let mut dim = dims.len();
        while dim > 0 {
            dim -= 1;
            let unit = dims[dim] == 1;
            if taken >> dim & 1 == 1 || (unit && unit_tried) {
                continue;
            }
            unit_tried |= unit;
            let Ok(longer) = order.push(dim) else { continue };
            if (unit || self.goes_on(longer.as_slice()))
                && let Some(found) = self.extend(longer, taken | 1 << dim)
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether the first step along the last dimension of `order`, with all others of it more minor, goes as far as in
    /// the array.
    const fn goes_on(&self, order: &[usize]) -> bool {
        let dims = self.draft.dims.as_slice();
        let (last, mut sizes, mut index) = (order.len() - 1, [0; MAX_RANK], [0; MAX_RANK]);
        let mut at = 0;
        while at <= last {
            sizes[at] = dims[order[last - at]];
            at += 1;
        }
        // One step along the dimension is so many elements of the row-major order.
        let (mut number, mut dim) = (1, order[last] + 1);
        while dim < dims.len() {
            number *= dims[dim];
            dim += 1;
        }
        index[0] = 1;
        let Some(sizes) = List::of(sizes.split_at(order.len()).0) else { return false };
        let minor = Draft::row_major(self.draft.dtype, sizes);
        let minor = Draft { tiles: self.draft.tiles, ..minor };
        match (minor.validate(), self.array.map().index_of(number)) {
            (Ok(minor), Some(there)) => {
                minor.map().offset(index.split_at(order.len()).0)
                    == self.array.map().offset(there.as_slice())
            }
            _ => false,
        }
    }
}
