//! Functions of single elements on the threads of rayon's current pool, with the feature `parallel`.

use super::array::{Array, ArrayMut, HostOf};
use super::elementwise::{convert, map_in_place, zip};
#[cfg(feature = "parallel")]
use super::{
    array::SameOffsets,
    flat,
    used::{may_be_short, used},
};
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::same::SameShape;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};
#[cfg(feature = "parallel")]
use alloc::vec::Vec;
#[cfg(feature = "parallel")]
use core::ops::Range;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The number of elements from which threads share a loop: computing them takes longer than to wake the threads.
#[cfg(feature = "parallel")]
const FROM: usize = if cfg!(test) { 64 } else { 1 << 15 };

/// The number of threads that share a loop over this number of elements.
pub(super) fn threads(elements: usize) -> usize {
    #[cfg(feature = "parallel")]
    if elements >= FROM {
        return rayon::current_num_threads();
    }
    let _ = elements;
    1
}

impl<L: Layout> PackedRef<'_, L> {
    /// [`PackedRef::convert_into`] by the threads of rayon's current pool: with the feature `parallel`, if there are at least 32,768
    /// elements and both layouts have the same offset for each. Otherwise this is `convert_into`.
    ///
    /// ```
    /// use tensor_layout::{Packed, half::bf16, tiled};
    /// type Acts = tiled!(f32[256,576]);
    /// type Rounded = tiled!(bf16[256,576]);
    /// let acts = Packed::<Acts>::filled(0.1);
    /// let mut rounded = Packed::<Rounded>::filled(bf16::ZERO);
    /// acts.par_convert_into(&mut rounded.as_mut(), bf16::from_f32);
    /// assert_eq!(rounded.get([255, 575]).to_f32(), 0.100_097_656);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedRef::convert_into`].
    pub fn par_convert_into<M: Layout<Shape: SameShape<<L as Layout>::Shape>>>(
        self,
        to: &mut PackedMut<'_, M>,
        f: impl Fn(Host<L>) -> Host<M> + Sync,
    ) {
        or_end(par_convert(self, to, f));
    }

    /// [`PackedRef::zip_into`] by the threads of rayon's current pool, under the conditions of [`PackedRef::par_convert_into`].
    ///
    /// ```
    /// use tensor_layout::{Packed, compute::Float, half::bf16, tiled};
    /// type Hidden = tiled!(f32[256,1536]);
    /// type Rounded = tiled!(bf16[256,1536]);
    /// let (gate, up) = (Packed::<Hidden>::filled(1.0), Packed::<Hidden>::filled(2.0));
    /// let mut hidden = Packed::<Rounded>::filled(bf16::ZERO);
    /// let swiglu = |gate: f32, up: f32| bf16::from_f32(gate / (1.0 + Float::exp(-gate)) * up);
    /// gate.as_ref().par_zip_into(up.as_ref(), &mut hidden.as_mut(), swiglu);
    /// assert_eq!(hidden.get([255, 1535]), swiglu(1.0, 2.0));
    /// ```
    ///
    /// # Panics
    /// As for [`PackedRef::zip_into`].
    pub fn par_zip_into<M, T>(
        self,
        other: PackedRef<'_, M>,
        to: &mut PackedMut<'_, T>,
        f: impl Fn(Host<L>, Host<M>) -> Host<T> + Sync,
    ) where
        M: Layout<Shape: SameShape<<L as Layout>::Shape>>,
        T: Layout<Shape: SameShape<<L as Layout>::Shape>>,
    {
        or_end(par_zip(self, other, to, f));
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// [`PackedMut::map_in_place`] by the threads of rayon's current pool: with the feature `parallel`, if there are at least 32,768
    /// elements. Otherwise this is `map_in_place`.
    ///
    /// ```
    /// use tensor_layout::{Packed, tpu};
    /// let mut acts = Packed::<tpu!(f32[512,512])>::filled(-1.0);
    /// acts.par_map_in_place(|x| x.max(0.0));
    /// assert_eq!(acts.get([511, 511]), 0.0);
    /// ```
    pub fn par_map_in_place(&mut self, f: impl Fn(Host<L>) -> Host<L> + Sync) {
        par_map_in_place(self, f);
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        PackedRef::par_convert_into[M](to: &mut PackedMut<'_, M>, f: impl Fn(Host<L>) -> Host<M> + Sync)
            where [M: Layout<Shape: SameShape<<L as Layout>::Shape>>];
        PackedMut::par_map_in_place(f: impl Fn(Host<L>) -> Host<L> + Sync);
    }
}

/// The parts of storage with the elements of an array, and the length of a thread's share of each.
#[cfg(feature = "parallel")]
fn parts<A: Array>(array: &A, stored: usize) -> impl Iterator<Item = (Range<usize>, usize)> {
    let used = if const { may_be_short::<A>() } { used(array) } else { None };
    let all = used.is_none().then_some(0..stored);
    let parts = used.into_iter().flat_map(|used| used.parts()).chain(all);
    parts.map(|part| (part.clone(), part.len().div_ceil(threads(part.len())).max(1)))
}

/// Whether one loop over the storage of two arrays can be shared.
#[cfg(feature = "parallel")]
fn match_in_storage<A: Array, B: Array>(a: A, b: B) -> bool {
    let same_sizes = a.sizes() == b.sizes();
    let differ = const { SameOffsets::<A, B>::MAY_DIFFER }
        && SameOffsets::<A, B>::differ(a.spec(), b.spec());
    same_sizes && !differ && threads(a.sizes().iter().product()) > 1
}

/// See [`PackedRef::par_convert_into`].
fn par_convert<A: Array, T: ArrayMut>(
    from: A,
    to: &mut T,
    f: impl Fn(HostOf<A>) -> HostOf<T> + Sync,
) -> Result<(), PackError> {
    #[cfg(feature = "parallel")]
    if match_in_storage(from, to.as_array())
        && let (Some(to), Some(xs)) = (to.elements_mut(), from.elements())
    {
        for (at, share) in parts(&from, xs.len()) {
            let shares = to[at.clone()].par_chunks_mut(share).zip(xs[at].par_chunks(share));
            shares.for_each(|(to, xs)| flat::map(xs, to, &f));
        }
        return Ok(());
    }
    convert(from, to, f)
}

/// See [`PackedRef::par_zip_into`].
fn par_zip<A: Array, B: Array, T: ArrayMut>(
    from: A,
    other: B,
    to: &mut T,
    f: impl Fn(HostOf<A>, HostOf<B>) -> HostOf<T> + Sync,
) -> Result<(), PackError> {
    #[cfg(feature = "parallel")]
    if match_in_storage(from, other)
        && match_in_storage(from, to.as_array())
        && let (Some(to), Some(xs), Some(ys)) =
            (to.elements_mut(), from.elements(), other.elements())
    {
        for (at, share) in parts(&from, xs.len()) {
            let inputs = xs[at.clone()].par_chunks(share).zip(ys[at.clone()].par_chunks(share));
            let shares = to[at].par_chunks_mut(share).zip(inputs);
            shares.for_each(|(to, (xs, ys))| flat::zip(xs, ys, to, &f));
        }
        return Ok(());
    }
    zip(from, other, to, f)
}

/// See [`PackedMut::par_map_in_place`].
fn par_map_in_place<T: ArrayMut>(to: &mut T, f: impl Fn(HostOf<T>) -> HostOf<T> + Sync) {
    #[cfg(feature = "parallel")]
    {
        let stored = to.as_array().elements().map_or(0, <[_]>::len);
        let all: Vec<_> = parts(&to.as_array(), stored).collect();
        if let Some(elements) = to.elements_mut().filter(|_| threads(stored) > 1) {
            for (at, share) in all {
                let shares = elements[at].par_chunks_mut(share);
                shares.for_each(|xs| flat::map_in_place(xs, &f));
            }
            return;
        }
    }
    map_in_place(to, f);
}
