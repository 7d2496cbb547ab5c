//! The indices of an array, in logical order and in the order of storage.

use super::spec::TiledSpec;
use crate::parts::MAX_RANK;
use crate::parts::{Coordinates, IndexMap};
use core::iter::FusedIterator;

/// The indices of an array in row-major order, the last dimension fastest; see [`TiledSpec::indices`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[2,2]{0,1}".parse()?;
/// let offsets: Vec<usize> = spec.indices().map(|index| spec.offset(&index)).collect();
/// assert_eq!(offsets, [0, 2, 1, 3]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Indices {
    dims: Coordinates,
    next: Coordinates,
    left: usize,
}

/// The element or padding at each offset of the storage of an array; see [`TiledSpec::slots`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[1,3]{1,0:T(1,2)}".parse()?;
/// assert_eq!(spec.slots().filter(|slot| slot.is_none()).count(), 1); // one element of padding
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Slots<'a> {
    map: &'a IndexMap,
    next: usize,
    end: usize,
}

impl TiledSpec {
    /// The indices in row-major order; the iterator is empty if a dimension is unbounded.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,2]{0,1}".parse().unwrap();
    /// let indices: Vec<Vec<usize>> = spec.indices().map(|index| index.to_vec()).collect();
    /// assert_eq!(indices, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    /// ```
    pub const fn indices(&self) -> Indices {
        let (Some(dims), Some(next)) =
            (Coordinates::new(self.dims()), Coordinates::new(&[0; MAX_RANK]))
        else {
            unreachable!()
        };
        Indices { dims, next, left: self.elements() }
    }

    /// For each offset, in the order of storage, the index of the element there, or `None` for padding.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3]{0:T(2)}".parse().unwrap();
    /// let slots: Vec<bool> = spec.slots().map(|slot| slot.is_some()).collect();
    /// assert_eq!(slots, [true, true, true, false]);
    /// ```
    pub const fn slots(&self) -> Slots<'_> {
        Slots { map: self.map(), next: 0, end: self.len() }
    }

    /// The offset and the index of each element, in the order of storage; padding is skipped.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,2]{0,1}".parse().unwrap();
    /// let stored: Vec<_> = spec.stored().map(|(offset, index)| (offset, index.to_vec())).collect();
    /// assert_eq!(stored, [(0, vec![0, 0]), (1, vec![1, 0]), (2, vec![0, 1]), (3, vec![1, 1])]);
    /// ```
    pub fn stored(&self) -> impl Iterator<Item = (usize, Coordinates)> + Clone + '_ {
        self.slots().enumerate().filter_map(|(offset, slot)| Some((offset, slot?)))
    }
}

impl Iterator for Indices {
    type Item = Coordinates;

    fn next(&mut self) -> Option<Coordinates> {
        self.left = self.left.checked_sub(1)?;
        let rank = self.dims.len();
        let current = Coordinates::new(self.next.get(..rank)?);
        for dim in (0..rank).rev() {
            let next = &mut self.next.as_mut_slice()[dim];
            *next += 1;
            if *next < self.dims[dim] {
                break;
            }
            *next = 0;
        }
        current
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Indices {}
impl FusedIterator for Indices {}

impl Iterator for Slots<'_> {
    type Item = Option<Coordinates>;

    fn next(&mut self) -> Option<Option<Coordinates>> {
        (self.next < self.end).then(|| {
            self.next += 1;
            self.map.index(self.next - 1)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }

    fn nth(&mut self, n: usize) -> Option<Option<Coordinates>> {
        self.next = self.end.min(self.next.saturating_add(n));
        self.next()
    }
}

impl ExactSizeIterator for Slots<'_> {}
impl FusedIterator for Slots<'_> {}

#[cfg(test)]
mod tests {
    use crate::TiledSpec;
    use alloc::vec::Vec;

    fn spec(text: &str) -> TiledSpec {
        text.parse().unwrap()
    }

    #[test]
    fn both_orders_visit_each_element_once() {
        for text in
            ["f32[3,5]{1,0:T(2,2)}", "bf16[17,33]{0,1:T(8,16)(2,1)}", "s4[7]{0:T(8)L(16)E(4)}"]
        {
            let spec = spec(text);
            let logical: Vec<_> = spec.indices().map(|index| spec.offset(&index)).collect();
            let mut sorted = logical.clone();
            sorted.sort_unstable();
            let stored: Vec<_> = spec.stored().map(|(offset, _)| offset).collect();
            assert_eq!((sorted, logical.len()), (stored, spec.elements()), "{text}");
            assert!(spec.stored().all(|(offset, index)| spec.offset(&index) == offset), "{text}");
            assert_eq!((spec.slots().len(), spec.indices().len()), (spec.len(), spec.elements()));
        }
    }

    #[test]
    fn a_scalar_has_one_index_and_an_empty_array_none() {
        assert_eq!(
            spec("f32[]{:T(128)}").indices().map(|index| index.len()).collect::<Vec<_>>(),
            [0]
        );
        assert_eq!(spec("f32[3,0]").indices().count(), 0);
        assert_eq!(spec("f32[?,2]").indices().count(), 0);
        assert_eq!(spec("f32[3,5]").slots().nth(7).flatten().unwrap(), [1, 2]);
    }
}
