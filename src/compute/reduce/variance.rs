//! Variances.

use super::{Ordered, any};
use crate::compute::dims::Dims;
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::PackedRef;
use crate::typed::{Host, Layout};
use alloc::vec::Vec;

impl<L: Layout> PackedRef<'_, L> {
    /// The variances over the dimensions `dims`, in row-major order of the other dimensions: means of the squared distances
    /// from the mean, in `f64`. They take one pass over the array, in which large means do not cancel. Variances of no elements
    /// are NaN.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let acts = Acts::pack(&[1.0, 2.0, 3.0, 1e6, 1e6 + 3.0, 1e6 + 6.0]).unwrap();
    /// assert_eq!(acts.var(&[1]), [2.0 / 3.0, 6.0]);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedRef::sum`].
    #[track_caller]
    pub fn var(self, dims: impl Dims) -> Vec<f64>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_var(dims))
    }

    /// [`PackedRef::var`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::var`], except for a lack of memory.
    #[track_caller]
    pub fn try_var(self, dims: impl Dims) -> Result<Vec<f64>, PackError>
    where
        Host<L>: Ordered,
    {
        any::var(self, dims)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::var(dims: impl Dims) -> Vec<f64> where [Host<L>: Ordered]; // x.var(1)
        #[track_caller]
        PackedRef::try_var(dims: impl Dims) -> Result<Vec<f64>, PackError> where [Host<L>: Ordered];
    }
}
