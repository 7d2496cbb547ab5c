//! The trait that connects the model of a layout with the kernels that work on it.

use super::entry;
use crate::element::Element;
use crate::movement::{PackError, Plan};
use crate::require::fail;
use crate::typed::attributes::Attributes;
use crate::typed::sizes::RunTimeSizes;
use crate::typed::types::{Order, Sealed, Shape, Sizes, Tiles};
use crate::typed::{Packed, Tiled, physical, unrolled};
use layout_core::parts::IndexMap;
use layout_core::text::TextOf;
use layout_core::tiled::{self, Draft, MAX_TEXT, Problem, TiledSpec};
use typenum::Unsigned;

/// The type of the items of a row-major slice of the array, such as `f32`, `bf16`, `bool`, or `i8` for a 4-bit value.
///
/// ```
/// use tensor_layout::{Host, half::bf16, tiled};
/// let value: Host<tiled!(bf16[2,3])> = bf16::ONE;
/// let nibble: Host<tiled!(s4[2,3])> = -8_i8;
/// # let _ = (value, nibble);
/// ```
pub type Host<L> = <<L as Layout>::Element as Element>::Host;

/// A type with a spec. [`Layout`] has everything that follows from the spec.
///
/// No name here is also one of [`Layout`], since that would make `L::SPEC` ambiguous for users.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array",
    label = "not a layout, as `tiled!` and `tpu!` make them",
    note = "a sharded array has two, `<W as ShardedLayout>::Local` on each device and `<W as ShardedLayout>::Global`; `W::pack(&values)?` makes a block-scaled array",
    note = "where a layout is expected, `Packed<L>` is written as `L`: `x.relayout::<L>()`; the type of an element is a part of it, with the shape: `tpu!(f32[8,128])`"
)]
#[doc(hidden)]
pub trait Specified: Sealed + 'static {
    /// Element type.
    type Stored: Element;
    /// Logical sizes.
    type Sizes: Shape;
    /// The number of elements in a 32-bit word of storage.
    type PerWord: Unsigned;
    /// The sizes that arrays store at run time: none, unless a dimension is bounded.
    type RunTimeSizes: RunTimeSizes;
    /// The layout of the type's parameters, not checked yet.
    const DRAFT: Draft;
    /// The layout, or the rule that it breaks.
    const VALIDATED: Result<TiledSpec, Problem> = Self::DRAFT.validate();
    /// Fails to evaluate, with the message of the rule, if the layout breaks a rule. Everything that a program can call
    /// evaluates this first.
    const CHECKED: () = {
        let () = <Self::Sizes as Sizes>::CHECKED;
        // A local, because rustc evaluates and validates a reference to a constant as a constant of its own.
        let validated = Self::VALIDATED;
        tiled::checked(&validated)
    };
    /// The layout; if it breaks a rule, a valid one of the same rank. Then [`Specified::CHECKED`] is the only error, and the
    /// constants that follow from this one cause no further errors.
    const UNCHECKED: TiledSpec = match Self::VALIDATED {
        Ok(spec) => spec,
        Err(_) => TiledSpec::units(<Self::Sizes as Shape>::Rank::USIZE),
    };
    /// The index map of the layout.
    const MAP: IndexMap = *Self::UNCHECKED.map();
}

/// A layout as a type: it determines the offset of each element of an array.
///
/// All constants and both index functions come from one table that rustc evaluates; only a few shifts, masks and additions
/// remain at run time. Lengths and offsets are in stored elements.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// type Figure1 = tiled!(f32[3,5]{1,0:T(2,2)});
/// assert_eq!((Figure1::LEN, Figure1::BYTES), (24, 96));
/// assert_eq!(Figure1::offset([2, 3]), 17);
/// assert_eq!(Figure1::index(17), Some([2, 3]));
/// ```
#[cfg_attr(doc, doc = layout_macros::__pictures!("f32[3,5]{1,0:T(2,2)}"))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array",
    label = "not a layout, as `tiled!` and `tpu!` make them",
    note = "a sharded array has two, `<W as ShardedLayout>::Local` on each device and `<W as ShardedLayout>::Global`; `W::pack(&values)?` makes a block-scaled array",
    note = "where a layout is expected, `Packed<L>` is written as `L`: `x.relayout::<L>()`; the type of an element is a part of it, with the shape: `tpu!(f32[8,128])`"
)]
pub trait Layout: // L: WithRank<2>, L: Layout<Element = F32>
    Specified<Stored = <Self as Layout>::Element, Sizes = <Self as Layout>::Shape> + Sized
{
    /// Element type.
    type Element: Element;
    /// Logical sizes as a type, so that bounds can require arrays of equal shape.
    type Shape: Shape<Rank = Self::Rank, Index = Self::Index>;
    /// Number of dimensions as a type, for use in bounds.
    type Rank: Unsigned;
    /// Number of elements in a 32-bit word of storage as a type, for use in bounds.
    type Packing: Unsigned;
    /// An index: `[usize; RANK]`.
    type Index: AsRef<[usize]>
        + AsMut<[usize]>
        + core::ops::IndexMut<usize, Output = usize>
        + Copy
        + Default
        + PartialEq
        + core::fmt::Debug
        + Send
        + Sync
        + 'static;
    /// Number of dimensions.
    const RANK: usize;
    /// Logical sizes.
    const DIMS: Self::Index;
    /// Number of stored elements, padding included.
    const LEN: usize;
    /// Number of stored bytes, padding included; elements narrower than a byte are packed. For a tiled layout that splits the array
    /// between memories (`SC`), it is the size of one of its buffers. See [`TiledSpec::bytes`].
    const BYTES: usize;
    /// The run-time twin; displays as canonical XLA text.
    const SPEC: TiledSpec;
    /// Number of stored elements of one tile of the first level, padding included; see [`TiledSpec::tile_len`].
    ///
    /// Fails to evaluate, as a compile error, if a later tile reaches across tiles of the first level.
    const TILE_LEN: usize;

    /// How [`pack`](Self::pack) moves a row-major array: a loop nest around a kernel. Displays as that loop nest.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Weights = tiled!(bf16[4096,1024]{1,0:T(8,128)(2,1)});
    /// assert_eq!(Weights::PLAN.to_string(), "\
    /// for d0 floordiv 8 in 0..512: source + 8192, destination + 8192
    ///   for d1 floordiv 128 in 0..8: source + 128, destination + 1024
    ///     for (d0 floordiv 2) mod 4 in 0..4: source + 2048, destination + 256
    ///       for d1 mod 128 in 0..128: source + 1, destination + 2
    ///         for d0 mod 2 in 0..2: source + 1024, destination + 1
    ///           interleave 2 rows of 128 elements of 2 bytes
    /// ");
    /// ```
    const PLAN: &'static Plan<'static>;

    /// The offset of the element at `index`, in elements from the start.
    ///
    /// Compiles to a few instructions for each part of the index, without loops: a shift, a mask or a multiplication by a constant.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline(always)]
    #[track_caller]
    fn offset(index: Self::Index) -> usize {
        let () = Self::CHECKED;
        unrolled::check_bounds::<Self>(&index);
        unrolled::offset::<Self>(&index)
    }

    /// [`Layout::offset`] without the check of the bounds.
    ///
    /// # Safety
    /// Each coordinate of `index` must be less than the size of its dimension.
    #[inline(always)]
    #[allow(unsafe_code, reason = "tells the optimizer what the caller promises")]
    unsafe fn offset_unchecked(index: Self::Index) -> usize {
        let () = Self::CHECKED;
        // SAFETY: the caller promises the bounds.
        unsafe { unrolled::offset_unchecked::<Self>(&index) }
    }

    /// The index of the element at `offset`; `None` for padding, and past the end.
    #[inline(always)]
    fn index(offset: usize) -> Option<Self::Index> {
        let () = Self::CHECKED;
        unrolled::index::<Self>(offset)
    }

    /// The index of an element in the physical shape, major to minor: the index of its tile, then its index within the
    /// tile, combined as in XLA's document. `N` must be the number of physical dimensions; another number does not compile.
    ///
    /// ```
    /// type Figure1 = tensor_layout::tiled!(F32[3,5]<1,0:T(2,2)>);
    /// assert_eq!(Figure1::physical_index([2, 3]), [1, 1, 0, 1]);
    /// let [_, _, row, column] = Figure1::physical_index([2, 3]);
    /// assert_eq!((row, column), (0, 1));
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline(always)]
    #[track_caller]
    fn physical_index<const N: usize>(index: Self::Index) -> [usize; N] {
        const { physical::check_rank::<Self, N>() };
        physical::physical_index::<Self, N>(index)
    }

    /// The index of the element at an index in the physical shape: the inverse of [`Layout::physical_index`]. `None` for
    /// padding, and for an index outside of the physical shape.
    #[inline(always)]
    fn logical_index<const N: usize>(physical: [usize; N]) -> Option<Self::Index> {
        const { physical::check_rank::<Self, N>() };
        physical::logical_index::<Self, N>(physical)
    }

    /// Packs a row-major array into a new buffer. Padding is zero, or has the value that `padded to` names.
    ///
    /// Takes one pass over the bytes of both arrays, and memory for [`Layout::BYTES`]. rustc has made the plan.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// let packed = <tiled!(s8[2,3]{1,0:T(2,2)})>::pack(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(packed.as_bytes(), [1, 2, 4, 5, 3, 0, 6, 0]);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element, a value does not fit the element type, memory cannot be allocated, or
    /// the layout splits the array between memories.
    fn pack(row_major: &[Host<Self>]) -> Result<Packed<Self>, PackError> {
        let (bytes, start) = entry::pack_new::<Self>(row_major)?;
        Ok(Packed::of_parts(bytes, start))
    }

    /// Packs a row-major array into `packed`, padding included, in one pass over the bytes of both. With the feature `parallel`, threads
    /// share large arrays.
    ///
    /// # Errors
    /// If either slice has the wrong length, or the layout splits the array between memories; `packed` is then unchanged. Also if a
    /// value does not fit the element type; the contents of `packed` are then unspecified.
    fn pack_into(row_major: &[Host<Self>], packed: &mut [u8]) -> Result<(), PackError> {
        entry::pack::<Self>(row_major, packed)
    }

    /// Unpacks into a row-major array, in one pass over the bytes of both. Padding is not read.
    ///
    /// # Errors
    /// If either slice has the wrong length, or the layout splits the array between memories; `row_major` is then unchanged.
    fn unpack_into(packed: &[u8], row_major: &mut [Host<Self>]) -> Result<(), PackError> {
        entry::unpack::<Self>(packed, row_major)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, S: Shape, O: Order, T: Tiles, A: Attributes> Layout for Tiled<E, S, O, T, A> {
    type Element = E;
    type Shape = S;
    type Rank = <S as Shape>::Rank;
    type Packing = A::Packing<E>;
    type Index = <S as Shape>::Index;
    const RANK: usize = <S as Shape>::Rank::USIZE;
    const DIMS: Self::Index = {
        let () = <S as Sizes>::CHECKED;
        <S as Shape>::DIMS
    };
    const LEN: usize = {
        let () = Self::CHECKED;
        // Most types need only their sizes; for them, rustc evaluates no further copy of the layout.
        match Self::VALIDATED {
            Ok(spec) => spec.len(),
            Err(_) => 0,
        }
    };
    const BYTES: usize = {
        let () = Self::CHECKED;
        match Self::VALIDATED {
            Ok(spec) => spec.bytes(),
            Err(_) => 0,
        }
    };
    const SPEC: TiledSpec = {
        let () = Self::CHECKED;
        Self::UNCHECKED
    };
    const PLAN: &'static Plan<'static> = entry::Const::<Self>::PLAN;
    const TILE_LEN: usize = {
        let () = Self::CHECKED;
        match Self::UNCHECKED.tile_len() {
            Some(len) => len,
            None => {
                let text: TextOf<{ MAX_TEXT + 120 }> = TextOf::new().str("the tiles of `");
                let text = text.str(Self::UNCHECKED.text().as_str());
                let text = text.str("` are not contiguous: a later tile reaches across those of ");
                fail(text.str("the first level; use `fold`, or `relayout` without it").as_str())
            }
        }
    };
}
