//! Arrays in the form in which kernels use them: their layout is a type, or only known at run time.
//!
//! If the layout is a type, everything that depends on it is a constant, so that a program contains only the loops that it
//! needs.

use super::elements::{elements, elements_mut};
use super::memory::NoMemory;
use super::reduce::{self, Op};
use crate::element::Element;
use crate::typed::Layout;
use crate::typed::entry::Const;
use crate::typed::same::same_offsets;
use crate::typed::view::{PackedMut, PackedRef};
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::tiled::TiledSpec;

/// The facts that the type of an array contains.
pub(super) trait Known {
    type Element: Element;
    /// The layout, if it is a type.
    const LAYOUT: Option<&'static TiledSpec>;
}

/// An array to read from.
pub(super) trait Array: Known + Copy {
    fn spec(&self) -> &TiledSpec;
    /// The sizes. The size of a bounded dimension is its current length.
    fn sizes(&self) -> &[usize];
    /// Whether all elements of the layout are elements of the array.
    fn is_whole(&self) -> bool;
    fn bytes(&self) -> &[u8];
    /// The storage as host values, if it contains host values.
    fn elements(&self) -> Option<&[HostOf<Self>]>;

    /// Reduces the dimensions whose bits are set in `passed`.
    fn reduce<O: Op<HostOf<Self>>>(self, passed: u16, op: &O) -> Result<Vec<O::Total>, NoMemory> {
        reduce::storage(self, passed, op)
    }

    /// Reduces all dimensions.
    fn reduce_all<O: Op<HostOf<Self>>>(self, op: &O) -> Result<O::Total, NoMemory> {
        self.reduce(u16::MAX, op).map(|totals| totals[0])
    }
}

/// An array to write to.
pub(super) trait ArrayMut: Known {
    type Ref<'a>: Array<Element = Self::Element>
    where
        Self: 'a;

    fn as_array(&self) -> Self::Ref<'_>;
    /// The layout, and the stored bytes as a mutable slice.
    fn spec_and_bytes(&mut self) -> (&TiledSpec, &mut [u8]);
    /// The storage as a mutable slice of host values, if it contains host values.
    fn elements_mut(&mut self) -> Option<&mut [HostOf<Self>]>;
}

/// The host values of an array.
pub(super) type HostOf<A> = <<A as Known>::Element as Element>::Host;

impl<L: Layout> Known for PackedRef<'_, L> {
    type Element = <L as Layout>::Element;
    const LAYOUT: Option<&'static TiledSpec> = Some(Const::<L>::SPEC);
}

impl<L: Layout> Known for PackedMut<'_, L> {
    type Element = <L as Layout>::Element;
    const LAYOUT: Option<&'static TiledSpec> = Some(Const::<L>::SPEC);
}

impl<L: Layout> Array for PackedRef<'_, L> {
    #[inline(always)]
    fn spec(&self) -> &TiledSpec {
        Const::<L>::SPEC
    }
    #[inline(always)]
    fn sizes(&self) -> &[usize] {
        PackedRef::sizes(self)
    }
    #[inline(always)]
    fn is_whole(&self) -> bool {
        PackedRef::is_whole(*self)
    }
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
    #[inline(always)]
    fn elements(&self) -> Option<&[HostOf<Self>]> {
        elements(*self)
    }
    fn reduce<O: Op<HostOf<Self>>>(self, passed: u16, op: &O) -> Result<Vec<O::Total>, NoMemory> {
        match reduce::small_array::<L, O>(self, passed, op) {
            Some(totals) => totals,
            None => reduce::storage(self, passed, op),
        }
    }
    fn reduce_all<O: Op<HostOf<Self>>>(self, op: &O) -> Result<O::Total, NoMemory> {
        match reduce::small_to_one::<L, O>(self, op) {
            Some(total) => Ok(total),
            None => reduce::storage(self, u16::MAX, op).map(|totals| totals[0]),
        }
    }
}

impl<L: Layout> ArrayMut for PackedMut<'_, L> {
    type Ref<'a>
        = PackedRef<'a, L>
    where
        Self: 'a;

    #[inline(always)]
    fn as_array(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
    #[inline(always)]
    fn spec_and_bytes(&mut self) -> (&TiledSpec, &mut [u8]) {
        (Const::<L>::SPEC, self.as_bytes_mut())
    }
    #[inline(always)]
    fn elements_mut(&mut self) -> Option<&mut [HostOf<Self>]> {
        elements_mut(self.reborrow())
    }
}

/// The number of bits in which an element of an array is stored.
#[inline(always)]
pub(super) fn stored_bits<A: Array>(array: &A) -> usize {
    let known = const {
        match A::LAYOUT {
            Some(spec) => spec.stored_bits(),
            None => 0,
        }
    };
    if const { A::LAYOUT.is_some() } { known } else { array.spec().stored_bits() }
}

/// The number of stored elements, without those that align the end of the storage.
#[inline(always)]
pub(super) fn stored_len<A: Array>(array: &A) -> usize {
    let known = const {
        match A::LAYOUT {
            Some(spec) => spec.map().len(),
            None => 0,
        }
    };
    if const { A::LAYOUT.is_some() } { known } else { array.spec().map().len() }
}

/// Whether two arrays of the same shape have the same offset for each element, as far as their types say.
pub(super) struct SameOffsets<A, B>(PhantomData<(A, B)>);

impl<A: Known, B: Known> SameOffsets<A, B> {
    const KNOWN: Option<bool> = match (A::LAYOUT, B::LAYOUT) {
        (Some(a), Some(b)) => Some(same_offsets(a, b)),
        _ => None,
    };
    /// Whether the offsets are known to differ, or both layouts must be compared at run time.
    pub(super) const MAY_DIFFER: bool = !matches!(Self::KNOWN, Some(true));

    /// Whether an offset differs.
    #[inline(always)]
    pub(super) fn differ(a: &TiledSpec, b: &TiledSpec) -> bool {
        (const { matches!(Self::KNOWN, Some(false)) }) || !same_offsets(a, b)
    }
}
