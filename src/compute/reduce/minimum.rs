//! Minima and their positions.

use super::{Ordered, any};
use crate::compute::dims::Dims;
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::PackedRef;
use crate::typed::{Host, Layout};
use alloc::vec::Vec;

impl<L: Layout> PackedRef<'_, L> {
    /// The minima over the dimensions `dims`, in row-major order of the other dimensions. If any element is NaN, the minimum is
    /// NaN; the minimum of no elements is the highest value of the type.
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
    /// As for [`PackedRef::sum`].
    #[track_caller]
    pub fn min(self, dims: impl Dims) -> Vec<Host<L>>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_min(dims))
    }

    /// [`PackedRef::min`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::min`], except for a lack of memory.
    #[track_caller]
    pub fn try_min(self, dims: impl Dims) -> Result<Vec<Host<L>>, PackError>
    where
        Host<L>: Ordered,
    {
        any::min(self, dims)
    }

    /// The positions of the minima over the dimensions `dims`, in the form of [`PackedRef::argmax`]. A NaN is less than all
    /// numbers here.
    ///
    /// # Panics
    /// As for [`PackedRef::sum`], or if there are no elements to take a minimum of.
    #[track_caller]
    pub fn argmin(self, dims: impl Dims) -> Vec<usize>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_argmin(dims))
    }

    /// [`PackedRef::argmin`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::argmin`], except for a lack of memory.
    #[track_caller]
    pub fn try_argmin(self, dims: impl Dims) -> Result<Vec<usize>, PackError>
    where
        Host<L>: Ordered,
    {
        any::positions::<_, true>(self, dims)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::min(dims: impl Dims) -> Vec<Host<L>> where [Host<L>: Ordered]; // x.min(1); of all elements, x.min(&[0, 1])[0]
        #[track_caller]
        PackedRef::try_min(dims: impl Dims) -> Result<Vec<Host<L>>, PackError> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::argmin(dims: impl Dims) -> Vec<usize> where [Host<L>: Ordered]; // x.argmin(1)
        #[track_caller]
        PackedRef::try_argmin(dims: impl Dims) -> Result<Vec<usize>, PackError> where [Host<L>: Ordered];
    }
}
