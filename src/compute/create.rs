//! Arrays from a function or a value, and their elements in row-major order.

use super::elementwise::write;
use super::windows::low_bits;
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::PackedRef;
use crate::typed::{Host, Layout, unrolled};
use core::iter::FusedIterator;

impl<L: Layout> Packed<L> {
    /// An array of `f` of each index, which is called in the order of storage. Padding is zero. Results for types narrower than
    /// a byte keep their low bits.
    ///
    /// ```
    /// use tensor_layout::{Packed, tpu};
    /// let identity = Packed::<tpu!(f32[3,3])>::from_fn(|[i, j]| if i == j { 1.0 } else { 0.0 });
    /// assert_eq!(identity.unpack(), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    /// ```
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do; see [`Packed::try_from_fn`].
    pub fn from_fn(f: impl FnMut(L::Index) -> Host<L>) -> Self {
        or_end(Self::try_from_fn(f))
    }

    /// [`Packed::from_fn`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the array cannot be allocated.
    pub fn try_from_fn(mut f: impl FnMut(L::Index) -> Host<L>) -> Result<Self, PackError> {
        let mut packed = Self::try_fresh()?;
        let mut to = packed.as_mut();
        for at in 0..const { Const::<L>::SPEC.map().len() } {
            if let Some(index) = unrolled::index::<L>(at) {
                write(&mut to, at, f(index));
            }
        }
        Ok(packed)
    }

    /// An array of `value` in all elements and in padding. Types narrower than a byte keep the low bits.
    ///
    /// ```
    /// use tensor_layout::{Packed, half::bf16, tpu};
    /// let ones = Packed::<tpu!(bf16[20,30])>::filled(bf16::ONE);
    /// assert_eq!(ones.total(), 600.0);
    /// ```
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do; see [`Packed::try_filled`].
    pub fn filled(value: Host<L>) -> Self {
        or_end(Self::try_filled(value))
    }

    /// [`Packed::filled`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the array cannot be allocated.
    pub fn try_filled(value: Host<L>) -> Result<Self, PackError> {
        let (mut packed, value) = (Self::try_fresh()?, low_bits::<<L as Layout>::Element>(value));
        packed.map_in_place(|_| value);
        Ok(packed)
    }

    forward! {
        PackedRef::iter() -> Iter<'_, L>;
        PackedRef::indexed_iter() -> IndexedIter<'_, L>;
    }
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// The elements in row-major order. To visit all elements of a large array, [`PackedRef::map`], [`PackedRef::fold`] or
    /// [`PackedRef::for_each_run`] are faster.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// let packed = <tiled!(s8[2,3]{0,1:T(2,2)})>::pack(&[1, 2, 3, 4, 5, 6]).unwrap();
    /// assert!(packed.iter().eq([1, 2, 3, 4, 5, 6]));
    /// assert_eq!(packed.indexed_iter().nth(4), Some(([1, 1], 5)));
    /// ```
    pub fn iter(self) -> Iter<'a, L> {
        Iter(self.indexed_iter())
    }

    /// The elements in row-major order, each with its index.
    pub fn indexed_iter(self) -> IndexedIter<'a, L> {
        let left = self.sizes().iter().product();
        IndexedIter { packed: self, next: L::Index::default(), left }
    }
}

/// The elements of an array in row-major order; see [`PackedRef::iter`].
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let packed = <tiled!(s8[2,3]{0,1:T(2,2)})>::pack(&[1, 2, 3, 4, 5, 6])?;
/// let even: Vec<i8> = packed.iter().filter(|x| x % 2 == 0).collect();
/// assert_eq!(even, [2, 4, 6]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct Iter<'a, L: Layout>(IndexedIter<'a, L>);

/// The elements of an array in row-major order, with their indices; see [`PackedRef::indexed_iter`].
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let packed = <tiled!(s8[2,3]{0,1:T(2,2)})>::pack(&[1, 2, 9, 4, 5, 6])?;
/// let largest = packed.indexed_iter().max_by_key(|(_, x)| *x);
/// assert_eq!(largest, Some(([0, 2], 9)));
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct IndexedIter<'a, L: Layout> {
    packed: PackedRef<'a, L>,
    next: L::Index,
    left: usize,
}

impl<L: Layout> Iterator for IndexedIter<'_, L> {
    type Item = (L::Index, Host<L>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let index = self.next;
        for (i, size) in self.next.as_mut().iter_mut().zip(self.packed.sizes()).rev() {
            *i += 1;
            if *i < *size {
                break;
            }
            *i = 0;
        }
        Some((index, self.packed.get(index)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: Layout> Iterator for Iter<'_, L> {
    type Item = Host<L>;

    fn next(&mut self) -> Option<Host<L>> {
        self.0.next().map(|(_, value)| value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<L: Layout> ExactSizeIterator for IndexedIter<'_, L> {}
impl<L: Layout> ExactSizeIterator for Iter<'_, L> {}
impl<L: Layout> FusedIterator for IndexedIter<'_, L> {}
impl<L: Layout> FusedIterator for Iter<'_, L> {}

impl<'a, L: Layout> IntoIterator for &'a Packed<L> {
    type Item = Host<L>;
    type IntoIter = Iter<'a, L>;
    fn into_iter(self) -> Iter<'a, L> {
        self.iter()
    }
}

impl<'a, L: Layout> IntoIterator for PackedRef<'a, L> {
    type Item = Host<L>;
    type IntoIter = Iter<'a, L>;
    fn into_iter(self) -> Iter<'a, L> {
        self.iter()
    }
}
