//! Compute on arrays whose layout is only known at run time, with the same kernels as for layout types.
#![allow(unsafe_code, reason = "storage is viewed as host values")]

use super::arithmetic::Arithmetic;
use super::array::{Array, ArrayMut, HostOf, Known};
use super::dims::{Dim, Dims};
use super::elements::holds_host_values;
use super::elementwise::{convert, map_in_place, zip, zip_in_place};
use super::matmul::{self, MatmulElement, RoundedFrom};
use super::normalize;
use super::real::Real;
use super::reduce::{self, Ordered, Summand};
use super::{broadcast, cumulative};
use crate::element::Element;
use crate::movement::PackError;
use crate::typed::DynPacked;
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// A [`DynPacked`] to read from.
pub(super) struct DynRef<'a, E: Element>(pub(super) &'a DynPacked<E>);

impl<E: Element> Clone for DynRef<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Element> Copy for DynRef<'_, E> {}

impl<E: Element> Known for DynRef<'_, E> {
    type Element = E;
    const LAYOUT: Option<&'static TiledSpec> = None;
}

impl<E: Element> Known for DynPacked<E> {
    type Element = E;
    const LAYOUT: Option<&'static TiledSpec> = None;
}

impl<E: Element> Array for DynRef<'_, E> {
    fn spec(&self) -> &TiledSpec {
        self.0.spec()
    }
    fn sizes(&self) -> &[usize] {
        self.0.dims()
    }
    fn is_whole(&self) -> bool {
        self.0.dims() == self.0.spec().dims()
    }
    fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
    fn elements(&self) -> Option<&[HostOf<Self>]> {
        let (spec, bytes) = (self.0.spec(), self.0.as_bytes());
        // SAFETY: the array has the bytes of its layout, aligned to 64. Stored and host width are equal, so the values that the
        // layout stores fill the bytes, and each bit pattern is a value, because `bool` is not stored so.
        holds_host_values(spec)
            .then(|| unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), spec.len()) })
    }
}

impl<E: Element> ArrayMut for DynPacked<E> {
    type Ref<'a> = DynRef<'a, E>;

    fn as_array(&self) -> DynRef<'_, E> {
        DynRef(self)
    }
    fn spec_and_bytes(&mut self) -> (&TiledSpec, &mut [u8]) {
        self.parts_mut()
    }
    fn elements_mut(&mut self) -> Option<&mut [HostOf<Self>]> {
        let (spec, bytes) = self.parts_mut();
        // SAFETY: as in `elements`. Host values have no padding bytes, so all of the storage stays initialized.
        holds_host_values(spec).then(|| unsafe {
            core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), spec.len())
        })
    }
}

impl<E: Element> DynPacked<E> {
    /// A new array in the same layout, of `f` of each element.
    ///
    /// `f` is also called for padding, in any order, and must not panic there. Results for types narrower than a byte keep
    /// their low bits.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    pub fn map(&self, f: impl FnMut(E::Host) -> E::Host) -> Result<Self, PackError> {
        self.convert(self.spec(), f)
    }

    /// Replaces each element by `f` of the element; see [`DynPacked::map`].
    pub fn map_in_place(&mut self, f: impl FnMut(E::Host) -> E::Host) {
        map_in_place(self, f);
    }

    /// A new array in the layout `spec`, of `f` of each element; see [`DynPacked::map`].
    ///
    /// If both layouts have the same offset for each element, this is one loop over storage. Otherwise windows of both arrays
    /// are brought into the same order, at the cost of a relayout.
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the layouts differ in shape, [`PackError::Window`] if a dimension that is bounded only in this
    /// array is shorter than its bound, and as for [`DynPacked::zeroed`].
    pub fn convert<T: Element>(
        &self,
        spec: &TiledSpec,
        f: impl FnMut(E::Host) -> T::Host,
    ) -> Result<DynPacked<T>, PackError> {
        check_dims(self.spec(), spec)?;
        let mut packed = DynPacked::zeroed(spec)?;
        packed.set_dims(self.dims())?;
        convert(DynRef(self), &mut packed, f)?;
        Ok(packed)
    }

    /// A new array in the same layout, of `f` of each element of this array and the element of `other` at the same index. The
    /// arrays can differ in element type and in layout; see [`DynPacked::convert`].
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the arrays differ in size, and [`PackError::OutOfMemory`] if memory for the new array cannot be
    /// allocated.
    pub fn zip<T: Element>(
        &self,
        other: &DynPacked<T>,
        f: impl FnMut(E::Host, T::Host) -> E::Host,
    ) -> Result<Self, PackError> {
        self.check_sizes(other)?;
        let mut packed = Self::zeroed(self.spec())?;
        packed.set_dims(self.dims())?;
        zip(DynRef(self), DynRef(other), &mut packed, f)?;
        Ok(packed)
    }

    /// Replaces each element by `f` of the element and the element of `other`; see [`DynPacked::zip`].
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the arrays differ in size, and [`PackError::OutOfMemory`] if memory for windows of arrays that
    /// differ in layout cannot be allocated. Nothing has then been written.
    pub fn zip_in_place<T: Element>(
        &mut self,
        other: &DynPacked<T>,
        f: impl FnMut(E::Host, T::Host) -> E::Host,
    ) -> Result<(), PackError> {
        self.check_sizes(other)?;
        zip_in_place(self, DynRef(other), f)
    }

    /// Replaces each element by `f` of the element and of its value in `values`; see
    /// [`PackedMut::zip_broadcast_in_place`](crate::PackedMut::zip_broadcast_in_place).
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the values of a block cannot be allocated. Nothing has then been written.
    ///
    /// # Panics
    /// If a number in `dims` is not a dimension, or occurs twice, if `dims` is not in ascending order, or if `values` does not have
    /// one value for each index of these dimensions.
    #[track_caller]
    pub fn zip_broadcast_in_place<T: Copy>(
        &mut self,
        dims: impl Dims,
        values: &[T],
        f: impl FnMut(E::Host, T) -> E::Host,
    ) -> Result<(), PackError> {
        match broadcast::meeting(self.dims(), dims, values) {
            Some((kept, first)) => broadcast::in_place(self, kept, first, values, f),
            None => Ok(()),
        }
    }

    /// The matrix product of this array and `other`, in the layout `spec`; see [`matmul_into`](crate::matmul_into).
    ///
    /// ```
    /// use tensor_layout::{BF16, DynPacked, F32, TiledSpec, half::bf16};
    /// let [a, b, c]: [TiledSpec; 3] = ["bf16[20,64]", "bf16[64,10]{0,1}", "f32[20,10]{1,0:T(8,128)}"]
    ///     .map(|text| text.parse().unwrap());
    /// let a = DynPacked::<BF16>::pack(&a, &[bf16::ONE; 20 * 64])?;
    /// let b = DynPacked::<BF16>::pack(&b, &[bf16::ONE; 64 * 10])?;
    /// let product: DynPacked<F32> = a.matmul(&b, &c)?;
    /// assert_eq!(product.get(&[19, 9]), 64.0);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the arrays are not matrices with matching sizes, and as for [`DynPacked::zeroed`].
    pub fn matmul<B: Element, C>(
        &self,
        other: &DynPacked<B>,
        spec: &TiledSpec,
    ) -> Result<DynPacked<C>, PackError>
    where
        E: MatmulElement<B>,
        C: RoundedFrom<E::Sum>,
    {
        let (&[rows, inner], &[right, columns]) = (self.dims(), other.dims()) else {
            return Err(sizes_differ(self.spec(), other.spec()));
        };
        if inner != right {
            return Err(sizes_differ(self.spec(), other.spec()));
        }
        let mut product = DynPacked::zeroed(spec)?;
        if spec.rank() != 2 || product.set_dims(&[rows, columns]).is_err() {
            return Err(sizes_differ(self.spec(), spec));
        }
        matmul::multiply_dyn::<E, B>(
            [rows, inner, columns],
            (self.spec(), self.as_bytes()),
            (other.spec(), other.as_bytes()),
            product.parts_mut(),
        )?;
        Ok(product)
    }

    /// Checks that two arrays have the same sizes.
    fn check_sizes<T: Element>(&self, other: &DynPacked<T>) -> Result<(), PackError> {
        if self.dims() == other.dims() {
            Ok(())
        } else {
            Err(sizes_differ(self.spec(), other.spec()))
        }
    }
}

/// Checks that two layouts have the same shape.
fn check_dims(a: &TiledSpec, b: &TiledSpec) -> Result<(), PackError> {
    if a.dims() == b.dims() { Ok(()) } else { Err(sizes_differ(a, b)) }
}

pub(super) fn sizes_differ(a: &TiledSpec, b: &TiledSpec) -> PackError {
    PackError::Sizes { layout: (*a).into(), other: (*b).into() }
}

/// A reduction with the interface of the view of a typed array.
macro_rules! reductions {
    ($(
        $method:ident $([$($generics:tt)*])? ($($argument:ident: $Type:ty),*) -> $Output:ty
            $(where [$($bounds:tt)*])? = $function:path;
    )*) => {
        /// Reductions over the dimensions `dims`; the results are row-major over the other dimensions. Each returns
        /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated, and panics if a number in `dims` is not a
        /// dimension, or occurs twice.
        impl<E: Element> DynPacked<E> { $(
            #[doc = concat!("See [`PackedRef::", stringify!($method), "`](crate::PackedRef::", stringify!($method), ").")]
            ///
            /// # Errors
            /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
            #[track_caller]
            pub fn $method<$($($generics)*)?>(&self, $($argument: $Type),*) -> Result<$Output, PackError>
            where
                $($($bounds)*)?
            {
                $function(DynRef(self), $($argument),*)
            }
        )* }
    };
}
reductions! {
    sum(dims: impl Dims) -> Vec<<E::Host as Summand>::Sum> where [E::Host: Summand] = reduce::sum;
    total() -> <E::Host as Summand>::Sum where [E::Host: Summand] = reduce::total;
    mean(dims: impl Dims) -> Vec<<E::Host as Summand>::Mean> where [E::Host: Summand] = reduce::mean;
    var(dims: impl Dims) -> Vec<f64> where [E::Host: Ordered] = reduce::var;
    max(dims: impl Dims) -> Vec<E::Host> where [E::Host: Ordered] = reduce::max;
    min(dims: impl Dims) -> Vec<E::Host> where [E::Host: Ordered] = reduce::min;
    argmax(dims: impl Dims) -> Vec<usize> where [E::Host: Ordered] = reduce::positions::<_, false>;
    argmin(dims: impl Dims) -> Vec<usize> where [E::Host: Ordered] = reduce::positions::<_, true>;
    fold[A: Copy](
        dims: impl Dims, start: A, step: impl Fn(A, E::Host) -> A, merge: impl Fn(A, A) -> A
    ) -> Vec<A> = reduce::fold;
}

/// The type of the scales of an array: `f64` for `f64`, else `f32`.
type Scale<E> = <<E as Element>::Host as Real>::Compute;

/// A function that replaces the elements along a dimension, with the interface of the view of a typed array.
macro_rules! along_a_dimension {
    ($(
        $method:ident $in_place:ident ($($argument:ident: $Type:ty),*) where [$Bound:path] = $function:path;
    )*) => { $(
        impl<E: Element<Host: $Bound>> DynPacked<E> {
            #[doc = concat!("See [`PackedMut::", stringify!($in_place), "`](crate::PackedMut::", stringify!($in_place), ").")]
            ///
            /// # Errors
            /// [`PackError::OutOfMemory`] if memory for a window of the array cannot be allocated; nothing has then been written.
            #[track_caller]
            pub fn $in_place(&mut self, dim: impl Dim, $($argument: $Type),*) -> Result<(), PackError> {
                $function(self, dim, $($argument),*)
            }

            #[doc = concat!("A new array, as [`DynPacked::", stringify!($in_place), "`] makes it.")]
            ///
            /// # Errors
            /// [`PackError::OutOfMemory`] if memory for the new array or a window of it cannot be allocated.
            #[track_caller]
            pub fn $method(&self, dim: impl Dim, $($argument: $Type),*) -> Result<Self, PackError> {
                let mut packed = self.try_clone()?;
                packed.$in_place(dim, $($argument),*)?;
                Ok(packed)
            }
        }
    )* };
}
along_a_dimension! {
    softmax softmax_in_place() where [Real] = normalize::softmax;
    layer_norm layer_norm_in_place(
        scale: &[Scale<E>], shift: &[Scale<E>], epsilon: f64
    ) where [Real] = normalize::layer_norm;
    rms_norm rms_norm_in_place(scale: &[Scale<E>], epsilon: f64) where [Real] = normalize::rms_norm;
    cumulative_sum cumulative_sum_in_place() where [Arithmetic] = cumulative::cumulative_sum;
}
