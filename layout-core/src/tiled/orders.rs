//! The order of dimensions in which a reshape moves no byte: each element of the reshaped array keeps its offset.

use super::draft::Draft;
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::MAX_RANK;

/// A search that starts at the most minor dimension.
///
/// The offsets along the most minor dimensions do not depend on the more major ones. So the next dimension larger than 1 is
/// determined: one step along it must move the offset as far as in the array, and no two elements of the array have the same
/// offset. Only dimensions of size 1, which fill entries of a tile, can be at any position; they are interchangeable.
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

    /// Extends `order` by the remaining dimensions; `taken` has a bit for each dimension in `order`.
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
            if (unit || self.has_stride_of_array(longer.as_slice()))
                && let Some(found) = self.extend(longer, taken | 1 << dim)
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether the last dimension of `order` has the same stride as in the array if all others of `order` are more minor.
    const fn has_stride_of_array(&self, order: &[usize]) -> bool {
        let dims = self.draft.dims.as_slice();
        let (last, mut sizes, mut index) = (order.len() - 1, [0; MAX_RANK], [0; MAX_RANK]);
        let mut at = 0;
        while at <= last {
            sizes[at] = dims[order[last - at]];
            at += 1;
        }
        // One step along the dimension is `number` elements of the row-major order.
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
