//! Cumulative sums.

use super::arithmetic::Arithmetic;
use super::reduce::{Plus, Summand, dims_of};
use super::windows::{Windows, read_window, write_window};
use crate::movement::PackError;
use crate::movement::run_time::allocate;
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};

impl<L: Layout> PackedMut<'_, L>
where
    Host<L>: Arithmetic,
{
    /// Replaces each element by the sum of those along dimension `dim` up to and with it. Floats are added up in `f64`
    /// and each sum is rounded once; integers wrap.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let mut counts = <tpu!(s32[2,3])>::pack(&[1, 2, 3, 4, 5, 6]).unwrap();
    /// counts.cumulative_sum_in_place(1);
    /// assert_eq!(counts.unpack(), [1, 3, 6, 4, 9, 15]);
    /// ```
    ///
    /// # Panics
    /// If there is no dimension `dim`; and as collections do, if there is no memory for a window of the array: see
    /// [`PackedMut::try_cumulative_sum_in_place`].
    #[track_caller]
    pub fn cumulative_sum_in_place(&mut self, dim: usize) {
        or_end(self.try_cumulative_sum_in_place(dim));
    }

    /// [`PackedMut::cumulative_sum_in_place`], for programs that must outlive a lack of memory, as servers must.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`], if there is no memory for a window of the array; nothing has been written then.
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn try_cumulative_sum_in_place(&mut self, dim: usize) -> Result<(), PackError> {
        let spec = Const::<L>::SPEC;
        let sizes = self.dims();
        let (_, size) = dims_of(sizes.as_ref(), &[dim]);
        let windows = Windows::new(spec, sizes.as_ref(), Some(dim));
        let mut elements = allocate::<Host<L>>(spec, windows.largest.elements())?;
        for window in windows {
            let elements = &mut elements[..window.elements()];
            read_window(self.as_ref(), &window, elements);
            let stride = window.shape[dim + 1..].iter().product();
            for slab in elements.chunks_exact_mut(size * stride) {
                for first in 0..stride {
                    let mut total = Default::default();
                    for x in slab[first..].iter_mut().step_by(stride) {
                        total = Plus::plus(total, Host::<L>::carry(Host::<L>::lane(*x)));
                        *x = Host::<L>::rounded(total);
                    }
                }
            }
            write_window(self, &window, elements);
        }
        Ok(())
    }
}

impl<L: Layout> PackedRef<'_, L>
where
    Host<L>: Arithmetic,
{
    /// A new array, as [`PackedMut::cumulative_sum_in_place`] makes it.
    ///
    /// # Panics
    /// As [`PackedMut::cumulative_sum_in_place`].
    #[track_caller]
    pub fn cumulative_sum(self, dim: usize) -> Packed<L> {
        or_end(self.try_cumulative_sum(dim))
    }

    /// [`PackedRef::cumulative_sum`], for programs that must outlive a lack of memory, as servers must.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`], if there is no memory for the new array or a window of it.
    ///
    /// # Panics
    /// As [`PackedMut::try_cumulative_sum_in_place`].
    #[track_caller]
    pub fn try_cumulative_sum(self, dim: usize) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.as_mut().try_cumulative_sum_in_place(dim)?;
        Ok(packed)
    }
}

impl<L: Layout> Packed<L>
where
    Host<L>: Arithmetic,
{
    forward! {
        #[track_caller]
        PackedRef::cumulative_sum(dim: usize) -> Packed<L>;
        #[track_caller]
        PackedRef::try_cumulative_sum(dim: usize) -> Result<Packed<L>, PackError>;
        #[track_caller]
        PackedMut::cumulative_sum_in_place(dim: usize);
        #[track_caller]
        PackedMut::try_cumulative_sum_in_place(dim: usize) -> Result<(), PackError>;
    }
}
