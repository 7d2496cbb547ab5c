//! Packed arrays as operands and outputs of generated kernels.

use super::argument::StaticSizes;
use crate::typed::sizes::{RunTimeSizes, SizesOf};
use crate::typed::{Layout, Packed, PackedMut, PackedRef};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;

/// An argument of a function of `sparse_kernel!` for an operand `Packed<L>`: an array in that layout, or a view of one.
///
/// ```
/// use tensor_layout::{Layout, sparse_kernel, tiled};
/// type Tiles = tiled!(f32[2,3]{1,0:T(2,2)});
/// sparse_kernel! {
///     fn sums(x: Packed<Tiles>[i, j]) -> y: Dense<f32>[i] { y[i] = x[i, j] }
/// }
/// # fn main() {
/// let tiles = Tiles::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
/// assert_eq!(sums(&tiles).unwrap().values(), [6.0, 15.0]);
/// assert_eq!(sums(&tiles.as_ref()).unwrap().values(), [6.0, 15.0]);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the kernel takes an array packed in another layout",
    label = "not the packed array that the kernel takes",
    note = "the kernel takes `Packed<{L}>`, the argument is `{Self}`; `relayout` changes the layout of a packed array, `L::pack` packs a slice"
)]
pub trait PackedOperand<L: Layout> {
    /// The array.
    fn packed(&self) -> PackedRef<'_, L>;
}

/// An argument of a function of `sparse_kernel!` for an output `Packed<L>`.
///
/// ```
/// use tensor_layout::{Packed, sparse_kernel, tiled};
/// type Tiles = tiled!(f32[2,3]{1,0:T(2,2)});
/// sparse_kernel! {
///     fn table(x: Dense<f32>[i], y: Dense<f32>[j]) -> z: Packed<Tiles>[i, j] { z[i, j] = x[i] * y[j] }
/// }
/// # fn main() {
/// let mut tiles = Packed::<Tiles>::zeroed().unwrap();
/// table_into(&[1.0, 2.0], &[3.0, 4.0, 5.0], &mut tiles).unwrap();
/// assert_eq!(tiles.get([1, 2]), 10.0);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the kernel writes to an array packed in another layout",
    label = "not the packed array that the kernel writes to",
    note = "the kernel writes to `Packed<{L}>`, the argument is `{Self}`; `Packed::<L>::zeroed()` makes an array to write to"
)]
pub trait PackedOutput<L: Layout> {
    /// The array.
    fn packed_mut(&mut self) -> PackedMut<'_, L>;
}

#[diagnostic::do_not_recommend]
impl<L: Layout> PackedOperand<L> for Packed<L> {
    #[inline]
    fn packed(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout> PackedOperand<L> for PackedRef<'_, L> {
    #[inline]
    fn packed(&self) -> PackedRef<'_, L> {
        *self
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout> PackedOperand<L> for PackedMut<'_, L> {
    #[inline]
    fn packed(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

macro_rules! pointers {
    ($($Pointer:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<L: Layout, A: PackedOperand<L> + ?Sized> PackedOperand<L> for $Pointer {
            #[inline]
            fn packed(&self) -> PackedRef<'_, L> {
                (**self).packed()
            }
        }
    )* };
}
pointers!(&A, &mut A, Box<A>, Rc<A>, Arc<A>);

#[diagnostic::do_not_recommend]
impl<L: Layout> PackedOutput<L> for Packed<L> {
    #[inline]
    fn packed_mut(&mut self) -> PackedMut<'_, L> {
        self.as_mut()
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout> PackedOutput<L> for PackedMut<'_, L> {
    #[inline]
    fn packed_mut(&mut self) -> PackedMut<'_, L> {
        self.reborrow()
    }
}

macro_rules! mutable_pointers {
    ($($Pointer:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<L: Layout, A: PackedOutput<L> + ?Sized> PackedOutput<L> for $Pointer {
            #[inline]
            fn packed_mut(&mut self) -> PackedMut<'_, L> {
                (**self).packed_mut()
            }
        }
    )* };
}
mutable_pointers!(&mut A, Box<A>);

macro_rules! sizes {
    ($($Array:ty),*) => { $(
        /// The sizes of a layout with bounded dimensions are only known at run time.
        #[diagnostic::do_not_recommend]
        impl<L: Layout, const RANK: usize> StaticSizes<RANK> for $Array {
            type Sizes = <SizesOf<L> as RunTimeSizes>::Static<L::Shape>;
        }
    )* };
}
sizes!(Packed<L>, PackedRef<'_, L>, PackedMut<'_, L>);
