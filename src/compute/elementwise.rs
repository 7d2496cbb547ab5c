//! Functions of single elements: flat loops over storage, as fast as the same loop over a plain slice.
//!
//! Padding is computed too, because skipping it costs more. Closures get its values, which can be any value of the host type,
//! and their results for it are never read as elements.
//!
//! If the offsets of arrays differ, windows of them are brought into the same order: see [`windows`](super::windows).

use super::array::{Array, ArrayMut, HostOf, SameOffsets, stored_bits, stored_len};
use super::flat;
use super::used::{may_be_short, used};
use super::windows::{ELEMENTS, Windows, WindowsOf};
use crate::element::{Element, HostValue};
use crate::movement::PackError;
use crate::movement::element::{get, store};
use crate::movement::run_time::allocate;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::same::SameShape;
use crate::typed::sizes::assert_same_sizes;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// Requires the function passed to [`PackedRef::map`] to return elements of the type that it takes, `T`.
///
/// ```
/// use tensor_layout::{Packed, compute::ResultOfMap, tiled};
/// type L = tiled!(f32[2]);
///
/// fn mapped<T: ResultOfMap<f32>>(x: &Packed<L>, f: fn(f32) -> T) -> Packed<L> {
///     x.map(f)
/// }
/// assert_eq!(mapped(&Packed::<L>::filled(4.0), f32::sqrt).unpack(), [2.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`map` keeps the type of the elements, `{T}`, and its function returns `{Self}`",
    note = "`x.convert::<M>(|x| ..)` computes elements of another type, where `M` is the layout of the result"
)]
pub trait ResultOfMap<T> {
    #[doc(hidden)]
    fn result(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T> ResultOfMap<T> for T {
    #[inline(always)]
    fn result(self) -> T {
        self
    }
}

impl<L: Layout> PackedRef<'_, L> {
    /// A new array of `f` of each element.
    ///
    /// `f` is also called for padding, in any order, and must not panic there. Results for types narrower than a byte keep
    /// their low bits. To write to an existing array, use [`PackedRef::convert_into`] or [`PackedMut::map_in_place`].
    ///
    /// ```
    /// use tensor_layout::{Layout, half::bf16, tiled};
    /// type Acts = tiled!(bf16[100,200]{1,0:T(8,128)(2,1)});
    /// let acts = Acts::pack(&[bf16::from_f32(-1.5); 20_000]).unwrap();
    /// let relu = acts.map(|x| if x < bf16::ZERO { bf16::ZERO } else { x });
    /// assert_eq!(relu.get([99, 199]), bf16::ZERO);
    /// ```
    ///
    /// Takes one pass over storage, and memory for the new array.
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do; see [`PackedRef::try_map`].
    pub fn map<T: ResultOfMap<Host<L>>>(self, mut f: impl FnMut(Host<L>) -> T) -> Packed<L> {
        or_end(self.try_map(|x| f(x).result()))
    }

    /// [`PackedRef::map`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    pub fn try_map(self, f: impl FnMut(Host<L>) -> Host<L>) -> Result<Packed<L>, PackError> {
        converted(self, f)
    }

    /// A new array of `f` of each element of this array and the element of `other` at the same index; see [`PackedRef::map`].
    ///
    /// The two arrays can differ in element type and in layout. If both have the same offset for each element, this is one loop
    /// over storage. Otherwise windows of both arrays are brought into the same order, at the cost of a relayout.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Values = tiled!(f32[3,5]{1,0:T(2,2)});
    /// type Mask = tiled!(pred[3,5]{1,0:T(2,2)});
    /// let values = Values::pack(&[2.0; 15]).unwrap();
    /// let mask = Mask::pack(&[false; 15]).unwrap();
    /// let masked = values.zip(&mask, |value, mask| if mask { value } else { f32::NEG_INFINITY });
    /// assert_eq!(masked.get([2, 4]), f32::NEG_INFINITY);
    /// ```
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ. If memory cannot be allocated, as collections do; see
    /// [`PackedRef::try_zip`].
    pub fn zip<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        other: PackedRef<'_, M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) -> Packed<L> {
        or_end(zipped(self, other, f))
    }

    /// [`PackedRef::zip`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ.
    pub fn try_zip<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        other: PackedRef<'_, M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) -> Result<Packed<L>, PackError> {
        zipped(self, other, f)
    }

    /// A new array of the layout `ResultLayout`, of `f` of each element; see [`PackedRef::map`].
    ///
    /// If both layouts have the same offset for each element, this is one loop over storage; see [`PackedRef::zip`].
    ///
    /// ```
    /// use tensor_layout::{Layout, half::bf16, tpu};
    /// type Weights = tpu!(f32[100,200]); // T(8,128)
    /// type Rounded = tpu!(bf16[100,200]); // T(8,128)(2,1): pairs of rows
    /// let weights = Weights::pack(&[0.1; 20_000]).unwrap();
    /// let rounded = weights.convert::<Rounded>(bf16::from_f32);
    /// assert_eq!(rounded.get([99, 199]).to_f32(), 0.100_097_656);
    /// ```
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound. If memory cannot be allocated, as
    /// collections do; see [`PackedRef::try_convert`].
    pub fn convert<ResultLayout: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        f: impl FnMut(Host<L>) -> Host<ResultLayout>,
    ) -> Packed<ResultLayout> {
        or_end(converted(self, f))
    }

    /// [`PackedRef::convert`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn try_convert<ResultLayout: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        f: impl FnMut(Host<L>) -> Host<ResultLayout>,
    ) -> Result<Packed<ResultLayout>, PackError> {
        converted(self, f)
    }

    /// Writes `f` of each element to `to`; see [`PackedRef::convert`].
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ. If memory for windows of arrays that differ in layout cannot be allocated,
    /// as collections do; see [`PackedRef::try_convert_into`].
    pub fn convert_into<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        to: &mut PackedMut<'_, M>,
        f: impl FnMut(Host<L>) -> Host<M>,
    ) {
        or_end(self.try_convert_into(to, f));
    }

    /// [`PackedRef::convert_into`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for windows of arrays that differ in layout cannot be allocated. Nothing has then
    /// been written.
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ.
    pub fn try_convert_into<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        to: &mut PackedMut<'_, M>,
        f: impl FnMut(Host<L>) -> Host<M>,
    ) -> Result<(), PackError> {
        convert(self, to, f)
    }

    /// Writes `f` of each element of this array and the element of `other` at the same index to `to`; see [`PackedRef::zip`].
    ///
    /// # Panics
    /// As for [`PackedRef::convert_into`]; see [`PackedRef::try_zip_into`].
    pub fn zip_into<M, T>(
        self,
        other: PackedRef<'_, M>,
        to: &mut PackedMut<'_, T>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<T>,
    ) where
        M: Layout<Shape: SameShape<<L as Layout>::Shape>>,
        T: Layout<Shape: SameShape<<L as Layout>::Shape>>,
    {
        or_end(self.try_zip_into(other, to, f));
    }

    /// [`PackedRef::zip_into`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`PackedRef::try_convert_into`].
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ.
    pub fn try_zip_into<M, T>(
        self,
        other: PackedRef<'_, M>,
        to: &mut PackedMut<'_, T>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<T>,
    ) -> Result<(), PackError>
    where
        M: Layout<Shape: SameShape<<L as Layout>::Shape>>,
        T: Layout<Shape: SameShape<<L as Layout>::Shape>>,
    {
        zip(self, other, to, f)
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// Replaces each element by `f` of the element; see [`PackedRef::map`].
    pub fn map_in_place(&mut self, f: impl FnMut(Host<L>) -> Host<L>) {
        map_in_place(self, f);
    }

    /// Replaces each element by `f` of the element and the element of `other`; see [`PackedRef::zip`].
    ///
    /// # Panics
    /// As for [`PackedRef::convert_into`]; see [`PackedMut::try_zip_in_place`].
    pub fn zip_in_place<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        &mut self,
        other: PackedRef<'_, M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) {
        or_end(self.try_zip_in_place(other, f));
    }

    /// [`PackedMut::zip_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`PackedRef::try_convert_into`].
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ.
    pub fn try_zip_in_place<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        &mut self,
        other: PackedRef<'_, M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) -> Result<(), PackError> {
        zip_in_place(self, other, f)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        PackedRef::map[T: ResultOfMap<Host<L>>](f: impl FnMut(Host<L>) -> T) -> Self;
        PackedRef::try_map(f: impl FnMut(Host<L>) -> Host<L>) -> Result<Self, PackError>;
        PackedMut::map_in_place(f: impl FnMut(Host<L>) -> Host<L>);
    }

    /// See [`PackedRef::zip`].
    ///
    /// # Panics
    /// If the lengths of bounded dimensions differ.
    pub fn zip<M /* x.zip(&y, |x, y| ..) */>(
        &self,
        other: &Packed<M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) -> Self
    where
        M: Layout<Shape: SameShape<<L as Layout>::Shape>>,
    {
        or_end(zipped(self.as_ref(), other.as_ref(), f))
    }

    /// See [`PackedRef::try_zip`].
    ///
    /// # Errors
    /// As for [`PackedRef::try_zip`].
    pub fn try_zip<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        &self,
        other: &Packed<M>,
        f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
    ) -> Result<Self, PackError> {
        zipped(self.as_ref(), other.as_ref(), f)
    }

    forward! {
        PackedMut::zip_in_place[M](other: &Packed<M> => other.as_ref(), f: impl FnMut(Host<L>, Host<M>) -> Host<L>)
            where [M: Layout<Shape: SameShape<<L as Layout>::Shape>>];
        PackedMut::try_zip_in_place[M](
            other: &Packed<M> => other.as_ref(), f: impl FnMut(Host<L>, Host<M>) -> Host<L>
        ) -> Result<(), PackError>
            where [M: Layout<Shape: SameShape<<L as Layout>::Shape>>];
    }

    /// See [`PackedRef::convert`].
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn convert<ResultLayout /* x.convert::<L>(|x| ..) */>(
        &self,
        f: impl FnMut(Host<L>) -> Host<ResultLayout>,
    ) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<Shape: SameShape<<L as Layout>::Shape>>,
    {
        or_end(converted(self.as_ref(), f))
    }

    /// See [`PackedRef::try_convert`].
    ///
    /// # Errors
    /// As for [`PackedRef::try_convert`].
    pub fn try_convert<ResultLayout: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        &self,
        f: impl FnMut(Host<L>) -> Host<ResultLayout>,
    ) -> Result<Packed<ResultLayout>, PackError> {
        converted(self.as_ref(), f)
    }
}

/// A new array of `f` of each element. Panics unless both layouts have the same shape.
pub(crate) fn converted<L: Layout, M: Layout>(
    from: PackedRef<'_, L>,
    f: impl FnMut(Host<L>) -> Host<M>,
) -> Result<Packed<M>, PackError> {
    let mut packed = Packed::try_fresh()?.sized(from.sizes());
    convert(from, &mut packed.as_mut(), f)?;
    Ok(packed)
}

/// A new array of `f` of each pair of elements. Panics unless both layouts have the same shape.
pub(crate) fn zipped<L: Layout, M: Layout>(
    from: PackedRef<'_, L>,
    other: PackedRef<'_, M>,
    f: impl FnMut(Host<L>, Host<M>) -> Host<L>,
) -> Result<Packed<L>, PackError> {
    let mut packed = Packed::try_fresh()?.sized(from.sizes());
    zip(from, other, &mut packed.as_mut(), f)?;
    Ok(packed)
}

/// Writes `f` of each element to `to`.
pub(super) fn convert<A: Array, T: ArrayMut>(
    from: A,
    to: &mut T,
    mut f: impl FnMut(HostOf<A>) -> HostOf<T>,
) -> Result<(), PackError> {
    assert_same_sizes(from.sizes(), to.as_array().sizes());
    if const { SameOffsets::<A, T>::MAY_DIFFER }
        && SameOffsets::<A, T>::differ(from.spec(), to.as_array().spec())
    {
        let (mut xs, mut results) = (buffer(from.spec())?, buffer(to.as_array().spec())?);
        let (of_from, of_to) =
            (WindowsOf::<A>::new(from.spec()), WindowsOf::<T>::new(to.as_array().spec()));
        for window in Windows::new(to.as_array().spec(), from.sizes(), None) {
            let (xs, results) = (&mut xs[..window.elements()], &mut results[..window.elements()]);
            of_from.read(from, &window, xs);
            for (result, x) in results.iter_mut().zip(xs) {
                *result = f(*x);
            }
            of_to.write(to, &window, results);
        }
    } else if let (Some(to), Some(elements)) = (to.elements_mut(), from.elements()) {
        if const { may_be_short::<A>() }
            && let Some(used) = used(&from)
        {
            used.parts().for_each(|at| flat::map(&elements[at.clone()], &mut to[at], &mut f));
        } else {
            flat::map(elements, to, f);
        }
    } else {
        for at in 0..stored_len(&from) {
            write(to, at, f(read(&from, at)));
        }
    }
    Ok(())
}

/// Writes `f` of each pair of elements to `to`.
pub(super) fn zip<A: Array, B: Array, T: ArrayMut>(
    from: A,
    other: B,
    to: &mut T,
    mut f: impl FnMut(HostOf<A>, HostOf<B>) -> HostOf<T>,
) -> Result<(), PackError> {
    assert_same_sizes(from.sizes(), other.sizes());
    assert_same_sizes(from.sizes(), to.as_array().sizes());
    if const { SameOffsets::<A, B>::MAY_DIFFER || SameOffsets::<A, T>::MAY_DIFFER }
        && (SameOffsets::<A, B>::differ(from.spec(), other.spec())
            || SameOffsets::<A, T>::differ(from.spec(), to.as_array().spec()))
    {
        let (mut xs, mut ys) = (buffer(from.spec())?, buffer(other.spec())?);
        let mut results = buffer(to.as_array().spec())?;
        let (of_from, of_other) =
            (WindowsOf::<A>::new(from.spec()), WindowsOf::<B>::new(other.spec()));
        let of_to = WindowsOf::<T>::new(to.as_array().spec());
        for window in Windows::new(to.as_array().spec(), from.sizes(), None) {
            let xs = &mut xs[..window.elements()];
            let ys = &mut ys[..window.elements()];
            let results = &mut results[..window.elements()];
            of_from.read(from, &window, xs);
            of_other.read(other, &window, ys);
            for (result, (x, y)) in results.iter_mut().zip(xs.iter().zip(ys)) {
                *result = f(*x, *y);
            }
            of_to.write(to, &window, results);
        }
        return Ok(());
    }
    let both = from.elements().zip(other.elements());
    if let (Some(to), Some((xs, ys))) = (to.elements_mut(), both) {
        if const { may_be_short::<A>() }
            && let Some(used) = used(&from)
        {
            for at in used.parts() {
                flat::zip(&xs[at.clone()], &ys[at.clone()], &mut to[at], &mut f);
            }
        } else {
            flat::zip(xs, ys, to, f);
        }
    } else {
        for at in 0..stored_len(&from) {
            write(to, at, f(read(&from, at), read(&other, at)));
        }
    }
    Ok(())
}

/// Replaces each element of `to` by `f` of the element.
pub(super) fn map_in_place<T: ArrayMut>(to: &mut T, mut f: impl FnMut(HostOf<T>) -> HostOf<T>) {
    let used = if const { may_be_short::<T>() } { used(&to.as_array()) } else { None };
    if let Some(elements) = to.elements_mut() {
        if let Some(used) = used {
            used.parts().for_each(|at| flat::map_in_place(&mut elements[at], &mut f));
        } else {
            flat::map_in_place(elements, f);
        }
    } else {
        for at in 0..stored_len(&to.as_array()) {
            let x = read(&to.as_array(), at);
            write(to, at, f(x));
        }
    }
}

/// Replaces each element of `to` by `f` of the element and the element of `other`.
pub(super) fn zip_in_place<T: ArrayMut, B: Array>(
    to: &mut T,
    other: B,
    mut f: impl FnMut(HostOf<T>, HostOf<B>) -> HostOf<T>,
) -> Result<(), PackError> {
    assert_same_sizes(to.as_array().sizes(), other.sizes());
    if const { SameOffsets::<B, T>::MAY_DIFFER }
        && SameOffsets::<B, T>::differ(other.spec(), to.as_array().spec())
    {
        let (mut xs, mut ys) = (buffer(to.as_array().spec())?, buffer(other.spec())?);
        let (of_to, of_other) =
            (WindowsOf::<T>::new(to.as_array().spec()), WindowsOf::<B>::new(other.spec()));
        for window in Windows::new(to.as_array().spec(), other.sizes(), None) {
            let (xs, ys) = (&mut xs[..window.elements()], &mut ys[..window.elements()]);
            of_to.read_back(to, &window, xs);
            of_other.read(other, &window, ys);
            for (x, y) in xs.iter_mut().zip(ys) {
                *x = f(*x, *y);
            }
            of_to.write(to, &window, xs);
        }
    } else if let (Some(xs), Some(ys)) = (to.elements_mut(), other.elements()) {
        if const { may_be_short::<B>() }
            && let Some(used) = used(&other)
        {
            for at in used.parts() {
                flat::zip_in_place(&mut xs[at.clone()], &ys[at], &mut f);
            }
        } else {
            flat::zip_in_place(xs, ys, f);
        }
    } else {
        for at in 0..stored_len(&other) {
            let x = read(&to.as_array(), at);
            write(to, at, f(x, read(&other, at)));
        }
    }
    Ok(())
}

/// Memory for the elements of a window.
fn buffer<H: HostValue>(spec: &TiledSpec) -> Result<Vec<H>, PackError> {
    allocate(spec, spec.elements().min(ELEMENTS))
}

/// The stored element with number `at`.
#[inline]
pub(super) fn read<A: Array>(from: &A, at: usize) -> HostOf<A> {
    get::<A::Element>(from.bytes(), stored_bits(from), at)
}

/// Writes the bits of `value` that fit.
#[inline]
pub(super) fn write<T: ArrayMut>(to: &mut T, at: usize, value: HostOf<T>) {
    let bits = stored_bits(&to.as_array());
    let mut le = [0; 16];
    value.write_le(&mut le);
    le[0] = <T::Element as Element>::DTYPE.normalize(le[0]);
    store(to.spec_and_bytes().1, bits, at, u128::from_le_bytes(le));
}
