//! Cumulative sums.

use super::arithmetic::Arithmetic;
use super::array::{Array, ArrayMut, HostOf};
use super::dims::Dim;
use super::reduce::{Plus, Summand};
use super::windows::replace_lines;
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};

impl<L: Layout> PackedMut<'_, L>
where
    Host<L>: Arithmetic,
{
    /// Replaces each element by the sum of the elements along dimension `dim` up to and including it. Floats are added up in
    /// `f64`, and each sum is rounded once; integers wrap.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let mut counts = <tpu!(s32[2,3])>::pack(&[1, 2, 3, 4, 5, 6]).unwrap();
    /// counts.cumulative_sum_in_place(1);
    /// assert_eq!(counts.unpack(), [1, 3, 6, 4, 9, 15]);
    /// ```
    ///
    /// # Panics
    /// If there is no dimension `dim`. If memory for a window of the array cannot be allocated, as collections do; see
    /// [`PackedMut::try_cumulative_sum_in_place`].
    #[track_caller]
    pub fn cumulative_sum_in_place(&mut self, dim: impl Dim) {
        or_end(self.try_cumulative_sum_in_place(dim));
    }

    /// [`PackedMut::cumulative_sum_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for a window of the array cannot be allocated; nothing has then been written.
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn try_cumulative_sum_in_place(&mut self, dim: impl Dim) -> Result<(), PackError> {
        cumulative_sum(self, dim)
    }
}

impl<L: Layout> PackedRef<'_, L>
where
    Host<L>: Arithmetic,
{
    /// A new array with the result of [`PackedMut::cumulative_sum_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::cumulative_sum_in_place`].
    #[track_caller]
    pub fn cumulative_sum(self, dim: impl Dim) -> Packed<L> {
        or_end(self.try_cumulative_sum(dim))
    }

    /// [`PackedRef::cumulative_sum`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array or a window of it cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedMut::try_cumulative_sum_in_place`].
    #[track_caller]
    pub fn try_cumulative_sum(self, dim: impl Dim) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.as_mut().try_cumulative_sum_in_place(dim)?;
        Ok(packed)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::cumulative_sum(dim: impl Dim) -> Packed<L> where [Host<L>: Arithmetic];
        #[track_caller]
        PackedRef::try_cumulative_sum(dim: impl Dim) -> Result<Packed<L>, PackError> where [Host<L>: Arithmetic];
        #[track_caller]
        PackedMut::cumulative_sum_in_place(dim: impl Dim) where [Host<L>: Arithmetic];
        #[track_caller]
        PackedMut::try_cumulative_sum_in_place(dim: impl Dim) -> Result<(), PackError> where [Host<L>: Arithmetic];
    }
}

/// See [`PackedMut::try_cumulative_sum_in_place`].
#[track_caller]
pub(super) fn cumulative_sum<T: ArrayMut>(array: &mut T, dim: impl Dim) -> Result<(), PackError>
where
    HostOf<T>: Arithmetic,
{
    let dim = dim.number(array.as_array().spec().rank());
    replace_lines(array, dim, |elements, size, stride| {
        for slab in elements.chunks_exact_mut(size * stride) {
            for first in 0..stride {
                let mut total = Default::default();
                for x in slab[first..].iter_mut().step_by(stride) {
                    total = Plus::plus(total, HostOf::<T>::carry(HostOf::<T>::lane(*x)));
                    *x = HostOf::<T>::rounded(total);
                }
            }
        }
    })
}
