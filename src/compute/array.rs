//! Arrays as kernels see them: of a layout that is a type, or of one that is only known at run time.
//!
//! Where the layout is a type, what depends on it is a constant, so that a program contains only the loops that it needs.

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

/// What the type of an array says.
pub(super) trait Known {
    type Element: Element;
    /// The layout, where it is a type.
    const LAYOUT: Option<&'static TiledSpec>;
}

/// An array to read.
pub(super) trait Array: Known + Copy {
    fn spec(&self) -> &TiledSpec;
    /// The sizes: of bounded dimensions, how many indices they hold.
    fn sizes(&self) -> &[usize];
    /// Whether all of the array is elements that the layout has.
    fn is_whole(&self) -> bool;
    fn bytes(&self) -> &[u8];
    /// Storage as host values, where it holds such.
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

/// An array to write.
pub(super) trait ArrayMut: Known {
    type Ref<'a>: Array<Element = Self::Element>
    where
        Self: 'a;

    fn as_array(&self) -> Self::Ref<'_>;
    /// The layout, and the stored bytes to write.
    fn spec_and_bytes(&mut self) -> (&TiledSpec, &mut [u8]);
    /// Storage as host values to write, where it holds such.
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

/// The bits that an element of an array takes in storage.
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

/// Stored elements but for those that align the end of storage.
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

/// Whether two arrays of one shape place each element at the same offset, as far as their types say.
pub(super) struct SameOffsets<A, B>(PhantomData<(A, B)>);

impl<A: Known, B: Known> SameOffsets<A, B> {
    const KNOWN: Option<bool> = match (A::LAYOUT, B::LAYOUT) {
        (Some(a), Some(b)) => Some(same_offsets(a, b)),
        _ => None,
    };
    /// Whether that they do not is known, or left to a look at both layouts.
    pub(super) const MAY_DIFFER: bool = !matches!(Self::KNOWN, Some(true));

    /// Whether they do not.
    #[inline(always)]
    pub(super) fn differ(a: &TiledSpec, b: &TiledSpec) -> bool {
        (const { matches!(Self::KNOWN, Some(false)) }) || !same_offsets(a, b)
    }
}
