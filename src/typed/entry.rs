//! The entry points of the types: constants for the layout and the plan, and shared code for everything else.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::prepare::{Compact, Prepare};
use super::small::Small;
use crate::cpu::Cpu;
use crate::movement::error::PackError;
use crate::movement::execute::Planned;
use crate::movement::host::{self, aligned, bytes_of, bytes_of_mut};
use crate::movement::inner::{self};
use crate::movement::padding;
use crate::movement::plan::Plan;
use crate::movement::step::{Constant, Step};
use crate::movement::transfer::{self, Values};
use crate::movement::window::WindowLoops;
use crate::require::fail;
use crate::typed::{Host, Layout, SameElement, SameShape, Specified};
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::parts::IndexMap;
use layout_core::text::TextOf;
use layout_core::tiled::{MAX_TEXT, TiledSpec};

/// The constants of a layout from which rustc computes the plans.
pub(crate) struct Const<L>(PhantomData<L>);

impl<L: Layout> Const<L> {
    pub(crate) const SPEC: &'static TiledSpec = &<L as Layout>::SPEC;
    const MAP: &'static IndexMap = &<L as Specified>::MAP;
    const ROW_MAJOR: &'static IndexMap = &transfer::row_major(Self::SPEC);
    /// See [`Layout::PLAN`].
    pub(crate) const PLAN: &'static Plan<'static> = &transfer::plan(Self::ROW_MAJOR, Self::MAP)
        .with_bits(transfer::host_bits(Self::SPEC.dtype()), Self::SPEC.stored_bits());
    const BACK: &'static Plan<'static> = &transfer::plan(Self::MAP, Self::ROW_MAJOR);
    pub(super) const PACK: Planned<'static> = Planned {
        nest: &Self::PLAN.nest,
        source: Self::PLAN.source,
        destination: Self::PLAN.destination,
        program: transfer::program(Self::PLAN, Self::SPEC, false).as_ref(),
    };
    pub(super) const UNPACK: Planned<'static> = Planned {
        nest: &Self::BACK.nest,
        source: Self::BACK.source,
        destination: Self::BACK.destination,
        program: transfer::program(Self::BACK, Self::SPEC, true).as_ref(),
    };
}

impl<L: Layout> Const<L> {
    /// The part of the plan that all windows share.
    pub(crate) const WINDOWS: Option<&'static WindowLoops> = WindowLoops::of(Self::SPEC).as_ref();

    /// Whether both arrays have the right length.
    #[inline(always)]
    fn fits(row_major: usize, packed: usize) -> bool {
        row_major == const { Self::SPEC.elements() }
            && packed == const { Self::SPEC.storage_bytes() }
    }
}

/// The largest size in bytes of an array for which kernels are compiled specially: a tile.
const TILE: usize = 4096;

/// How the arrays of a layout are packed, or unpacked, if they are no larger than a tile.
pub(super) struct Tile<L, const UNPACK: bool>(PhantomData<L>);

impl<L: Layout, const UNPACK: bool> Tile<L, UNPACK> {
    pub(super) const ONLY: Option<Step> = {
        let planned = if UNPACK { Const::<L>::UNPACK } else { Const::<L>::PACK };
        match planned.program {
            Some(program) if Const::<L>::SPEC.storage_bytes() <= TILE => program.only(),
            _ => None,
        }
    };
}

impl<L: Layout, const UNPACK: bool> Constant for Tile<L, UNPACK> {
    const STEP: Step = match Self::ONLY {
        Some(step) => step,
        None => Step::NONE,
    };
}

/// The constants of a pair of layouts.
pub(crate) struct Pair<L, M>(PhantomData<(L, M)>);

impl<
    L: Layout,
    M: Layout<Element: SameElement<<L as Layout>::Element>, Shape: SameShape<<L as Layout>::Shape>>,
> Pair<L, M>
{
    const PLAN: &'static Plan<'static> = &transfer::plan(Const::<L>::MAP, Const::<M>::MAP);
}

/// The layout. Each function that names the constant may get its own copy, of 5 KB, so only this function names it.
#[inline(never)]
fn spec<L: Layout>() -> &'static TiledSpec {
    Const::<L>::SPEC
}

/// A packed array of zero bytes: its memory, and the index of its first aligned byte.
pub(crate) fn zeroed<L: Layout>() -> Result<(Vec<u8>, usize), PackError> {
    if const { !transfer::is_one_buffer(Const::<L>::SPEC) } {
        transfer::check_layout(spec::<L>())?;
    }
    aligned(L::BYTES).ok_or_else(|| out_of_memory::<L>(L::BYTES))
}

/// A row-major array of zeros.
pub(crate) fn row_major<L: Layout>(len: usize) -> Result<Vec<Host<L>>, PackError> {
    host::zeroed(len).ok_or_else(|| out_of_memory::<L>(len.saturating_mul(size_of::<Host<L>>())))
}

#[cold]
#[inline(never)]
fn out_of_memory<L: Layout>(bytes: usize) -> PackError {
    PackError::OutOfMemory { bytes, layout: Compact::<L>::SPEC.spec().into() }
}

/// Reports which of the two arrays does not have the length of the layout.
#[cold]
#[inline(never)]
fn check_lengths<L: Layout>(row_major: usize, packed: usize) -> Result<(), PackError> {
    transfer::check_lengths(&Compact::<L>::SPEC.spec(), row_major, packed)
}

/// See [`Layout::pack`]. Returns the memory of the new array, and the index of its first aligned byte.
pub(crate) fn pack_new<L: Layout>(row_major: &[Host<L>]) -> Result<(Vec<u8>, usize), PackError> {
    if const { Prepare::<L, false>::IS_SHARED } {
        return Prepare::<L, false>::PREPARED.pack_new(bytes_of(row_major));
    }
    let (mut bytes, start) = zeroed::<L>()?;
    pack::<L>(row_major, &mut bytes[start..][..L::BYTES])?;
    Ok((bytes, start))
}

/// See [`Layout::pack_into`].
pub(crate) fn pack<L: Layout>(row_major: &[Host<L>], packed: &mut [u8]) -> Result<(), PackError> {
    if const { Prepare::<L, false>::IS_SHARED } {
        return Prepare::<L, false>::PREPARED.pack(bytes_of(row_major), packed);
    }
    if !Const::<L>::fits(row_major.len(), packed.len()) {
        return check_lengths::<L>(row_major.len(), packed.len());
    }
    let row_major = bytes_of(row_major);
    if const { Small::<L>::FITS } {
        Small::<L>::pack(row_major, packed);
        return Ok(());
    }
    // The conditions are constants, so that a program contains only the maps and the kernels that it needs.
    if const { Tile::<L, false>::ONLY.is_some() } {
        if const { Const::<L>::SPEC.len() > Const::<L>::SPEC.elements() } {
            if const { Const::<L>::SPEC.padded().is_some() } {
                padding::write(spec::<L>(), packed);
            } else {
                packed.fill(0);
            }
        }
        inner::constant::<Tile<L, false>>(row_major, packed, Cpu::detect());
        return Ok(());
    }
    transfer::pack(spec::<L>(), const { Const::<L>::PACK }, Values::Slice(row_major), packed)
}

/// See [`Layout::unpack_into`].
pub(crate) fn unpack<L: Layout>(packed: &[u8], row_major: &mut [Host<L>]) -> Result<(), PackError> {
    let elements = row_major.len();
    // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
    let row_major = unsafe { bytes_of_mut(row_major) };
    if const { Prepare::<L, true>::IS_SHARED } {
        return Prepare::<L, true>::PREPARED.unpack(packed, row_major);
    }
    if !Const::<L>::fits(elements, packed.len()) {
        return check_lengths::<L>(elements, packed.len());
    }
    if const { Small::<L>::FITS } {
        Small::<L>::unpack(packed, row_major);
        return Ok(());
    }
    // The conditions are constants, as for packing.
    if const { Tile::<L, true>::ONLY.is_some() } {
        inner::constant::<Tile<L, true>>(packed, row_major, Cpu::detect());
        return Ok(());
    }
    transfer::unpack(spec::<L>(), const { Const::<L>::UNPACK }, packed, row_major)
}

/// The constants of a pair of layouts; the second is the layout of the transposed array.
pub(crate) struct Transposed<L, M>(PhantomData<(L, M)>);

impl<L: Layout, M: Layout<Element: SameElement<<L as Layout>::Element>>> Transposed<L, M> {
    const MAP: &'static IndexMap = &Const::<L>::MAP.reversed();
    // Where the shapes do not allow it, `assert_transposed` is the error.
    const PLAN: &'static Plan<'static> = &match Plan::new(Self::MAP, Const::<M>::MAP) {
        Some(plan) => plan,
        None => transfer::plan(Const::<M>::MAP, Const::<M>::MAP),
    };
}

/// Fails to compile unless `M` has the dimensions of `L` in reverse order.
#[track_caller]
pub(crate) const fn assert_transposed<L: Layout, M: Layout>() {
    let (from, to) = (L::SPEC.dims(), M::SPEC.dims());
    let mut is_reverse = from.len() == to.len();
    let mut dim = 0;
    while is_reverse && dim < from.len() {
        is_reverse = from[dim] == to[to.len() - 1 - dim];
        dim += 1;
    }
    if !is_reverse {
        let text: TextOf<{ 2 * MAX_TEXT + 160 }> = TextOf::new().str("the dimensions of `");
        let text = text.str(M::SPEC.text().as_str()).str("` are not those of `");
        let text = text.str(L::SPEC.text().as_str()).str("` in reverse order; `relayout` ");
        fail(text.str("stores the same dimensions in another order").as_str())
    }
}

/// Transposes an array from the layout `L` to the layout `M`.
pub(crate) fn transpose<L: Layout, M>(from: &[u8], to: &mut [u8]) -> Result<(), PackError>
where
    M: Layout<Element: SameElement<<L as Layout>::Element>>,
{
    let (source, destination) = const { (Const::<L>::SPEC, Const::<M>::SPEC) };
    transfer::relayout(const { Transposed::<L, M>::PLAN }.into(), (source, from), (destination, to))
}

/// Moves an array from the layout `L` to the layout `M`.
pub(crate) fn relayout<L: Layout, M>(from: &[u8], to: &mut [u8]) -> Result<(), PackError>
where
    M: Layout<Element: SameElement<<L as Layout>::Element>, Shape: SameShape<<L as Layout>::Shape>>,
{
    let (source, destination) = const { (Const::<L>::SPEC, Const::<M>::SPEC) };
    transfer::relayout(const { Pair::<L, M>::PLAN }.into(), (source, from), (destination, to))
}
