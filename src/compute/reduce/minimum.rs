//! Minima, and where they are.

use super::{Ordered, any};
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::PackedRef;
use crate::typed::{Host, Layout};
use alloc::vec::Vec;

impl<L: Layout> PackedRef<'_, L> {
    /// Minima over the dimensions `dims`, row-major over the others. If any element is NaN, the minimum is NaN; the minimum
    /// of no elements is the highest value of the type.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let acts = Acts::pack(&[-1.0, -3.0, -2.0, 6.0, 4.0, 4.0]).unwrap();
    /// assert_eq!(acts.min(&[1]), [-3.0, 4.0]);
    /// assert_eq!(acts.argmin(&[1]), [1, 1]);
    /// ```
    ///
    /// # Panics
    /// As [`PackedRef::sum`].
    #[track_caller]
    pub fn min(self, dims: &[usize]) -> Vec<Host<L>>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_min(dims))
    }

    /// [`PackedRef::min`], for programs that must outlive a lack of memory, as servers must.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`], if there is no memory for the result.
    ///
    /// # Panics
    /// As [`PackedRef::min`], but for a lack of memory.
    #[track_caller]
    pub fn try_min(self, dims: &[usize]) -> Result<Vec<Host<L>>, PackError>
    where
        Host<L>: Ordered,
    {
        any::min(self, dims)
    }

    /// Where the minima over the dimensions `dims` are, as [`PackedRef::argmax`] says it of maxima. A NaN is below all
    /// numbers here.
    ///
    /// # Panics
    /// As [`PackedRef::sum`], or if a minimum would be one of no elements.
    #[track_caller]
    pub fn argmin(self, dims: &[usize]) -> Vec<usize>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_argmin(dims))
    }

    /// [`PackedRef::argmin`], for programs that must outlive a lack of memory, as servers must.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`], if there is no memory for the result.
    ///
    /// # Panics
    /// As [`PackedRef::argmin`], but for a lack of memory.
    #[track_caller]
    pub fn try_argmin(self, dims: &[usize]) -> Result<Vec<usize>, PackError>
    where
        Host<L>: Ordered,
    {
        any::positions::<_, true>(self, dims)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::min(dims: &[usize]) -> Vec<Host<L>> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::try_min(dims: &[usize]) -> Result<Vec<Host<L>>, PackError> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::argmin(dims: &[usize]) -> Vec<usize> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::try_argmin(dims: &[usize]) -> Result<Vec<usize>, PackError> where [Host<L>: Ordered];
    }
}
