//! The trait that joins the model of a layout with the kernels that work on it.

use super::entry;
use crate::element::Element;
use crate::movement::{PackError, Plan};
use crate::require::fail;
use crate::typed::sizes::RunTimeSizes;
use crate::typed::types::{Sealed, Shape, Sizes};
use crate::typed::{Packed, physical, unrolled};
use layout_core::parts::IndexMap;
use layout_core::text::TextOf;
use layout_core::tiled::{self, Draft, MAX_TEXT, Problem, TiledSpec};
use typenum::Unsigned;

/// What a row-major slice of the array holds: `f32`, `bf16`, `i8`, `bool`, a 4-bit value in an `i8`.
pub type Host<L> = <<L as Layout>::Element as Element>::Host;

/// A type that names a checked spec. [`Layout`] is everything that follows from it.
///
/// No name here is one of [`Layout`]'s, which would make `L::SPEC` ambiguous for whoever writes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array",
    label = "not a layout, as `tiled!` and `tpu!` make them",
    note = "a sharded array has two: `<W as ShardedLayout>::Local` on each device, and `<W as ShardedLayout>::Global`",
    note = "where a layout is expected, `Packed<L>` is written as `L`: `x.relayout::<L>()`"
)]
#[doc(hidden)]
pub trait Specified: Sealed + 'static {
    /// Element type.
    type Stored: Element;
    /// Logical sizes.
    type Sizes: Shape;
    /// Elements per 32-bit word in storage.
    type PerWord: Unsigned;
    /// The sizes that arrays carry at run time: nothing, unless a dimension is bounded.
    type RunTimeSizes: RunTimeSizes;
    /// The layout as its parameters say, not checked yet.
    const DRAFT: Draft;
    /// The layout, or the rule that it breaks.
    const VALIDATED: Result<TiledSpec, Problem> = Self::DRAFT.validate();
    /// Its evaluation fails, with the message of the rule, where the layout breaks one. Whatever a program can reach
    /// evaluates this first.
    const CHECKED: () = {
        let () = <Self::Sizes as Sizes>::CHECKED;
        tiled::checked(&Self::VALIDATED)
    };
    /// The layout. Where it breaks a rule, another one of the same rank: then [`Specified::CHECKED`] is the one error,
    /// and not every constant that follows from this one.
    const UNCHECKED: TiledSpec = match Self::VALIDATED {
        Ok(spec) => spec,
        Err(_) => TiledSpec::units(<Self::Sizes as Shape>::Rank::USIZE),
    };
    /// Its index map.
    const MAP: IndexMap = *Self::UNCHECKED.map();
}

/// Where each element of an array lives, as a type.
///
/// All constants and both index functions come from one table that rustc evaluates; what is left at run time is a few
/// shifts, masks and additions. Lengths and offsets are in stored elements.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// type Figure1 = tiled!(f32[3,5]{1,0:T(2,2)});
/// assert_eq!((Figure1::LEN, Figure1::BYTES), (24, 96));
/// assert_eq!(Figure1::offset([2, 3]), 17);
/// assert_eq!(Figure1::index(17), Some([2, 3]));
/// ```
#[cfg_attr(doc, doc = layout_macros::__pictures!("f32[3,5]{1,0:T(2,2)}"))]
pub trait Layout:
    Specified<Stored = <Self as Layout>::Element, Sizes = <Self as Layout>::Shape> + Sized
{
    /// Element type.
    type Element: Element;
    /// Logical sizes as a type, so that arrays of equal shape can be told at compile time.
    type Shape: Shape<Rank = Self::Rank, Index = Self::Index>;
    /// Number of dimensions as a type, to write bounds on.
    type Rank: Unsigned;
    /// Elements per 32-bit word in storage as a type, to write bounds on.
    type Packing: Unsigned;
    /// An index: `[usize; RANK]`.
    type Index: AsRef<[usize]>
        + AsMut<[usize]>
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
    /// Stored elements, padding included.
    const LEN: usize;
    /// Stored bytes, padding included, elements narrower than a byte packed; see [`TiledSpec::bytes`].
    const BYTES: usize;
    /// The run-time twin; displays as canonical XLA text.
    const SPEC: TiledSpec;
    /// Stored elements of one tile of the first level, padding included; see [`TiledSpec::tile_len`].
    ///
    /// Does not evaluate where a later tile reaches across tiles of the first level.
    const TILE_LEN: usize;

    /// How [`pack`](Self::pack) moves a row-major array: a loop nest with the kernel inside. Displays as such.
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

    /// Where the element at `index` lives, in elements from the start.
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

    /// Which element lives at `offset`; `None` for padding, or past the end.
    #[inline(always)]
    fn index(offset: usize) -> Option<Self::Index> {
        let () = Self::CHECKED;
        unrolled::index::<Self>(offset)
    }

    /// The index of an element in the physical shape, major to minor: the number of its tile, then its position in the
    /// tile, as XLA's document combines them. `N` is the number of physical dimensions; any other does not compile.
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

    /// Which element has an index in the physical shape: the inverse of [`Layout::physical_index`]. `None` for padding,
    /// and for what is not an index of the physical shape.
    #[inline(always)]
    fn logical_index<const N: usize>(physical: [usize; N]) -> Option<Self::Index> {
        const { physical::check_rank::<Self, N>() };
        physical::logical_index::<Self, N>(physical)
    }

    /// Packs a row-major array into a new buffer. Padding is zero, or what `padded to` says.
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element, or a value does not fit the element type.
    fn pack(row_major: &[Host<Self>]) -> Result<Packed<Self>, PackError> {
        let (bytes, start) = entry::pack_new::<Self>(row_major)?;
        Ok(Packed::of_parts(bytes, start))
    }

    /// Packs a row-major array into `packed`, padding included.
    ///
    /// # Errors
    /// If either slice has the wrong length; `packed` is then unchanged. Or if a value does not fit the element type; what
    /// `packed` then holds is unspecified.
    fn pack_into(row_major: &[Host<Self>], packed: &mut [u8]) -> Result<(), PackError> {
        entry::pack::<Self>(row_major, packed)
    }

    /// Unpacks into a row-major array. Padding is not read.
    ///
    /// # Errors
    /// If either slice has the wrong length; `row_major` is then unchanged.
    fn unpack_into(packed: &[u8], row_major: &mut [Host<Self>]) -> Result<(), PackError> {
        entry::unpack::<Self>(packed, row_major)
    }
}

impl<L: Specified> Layout for L {
    type Element = L::Stored;
    type Shape = L::Sizes;
    type Rank = <L::Sizes as Shape>::Rank;
    type Packing = L::PerWord;
    type Index = <L::Sizes as Shape>::Index;
    const RANK: usize = <L::Sizes as Shape>::Rank::USIZE;
    const DIMS: Self::Index = {
        let () = <L::Sizes as Sizes>::CHECKED;
        <L::Sizes as Shape>::DIMS
    };
    const LEN: usize = {
        let () = L::CHECKED;
        L::UNCHECKED.len()
    };
    const BYTES: usize = {
        let () = L::CHECKED;
        L::UNCHECKED.bytes()
    };
    const SPEC: TiledSpec = {
        let () = L::CHECKED;
        L::UNCHECKED
    };
    const PLAN: &'static Plan<'static> = entry::Const::<L>::PLAN;
    const TILE_LEN: usize = {
        let () = L::CHECKED;
        match L::UNCHECKED.tile_len() {
            Some(len) => len,
            None => {
                let text: TextOf<{ MAX_TEXT + 120 }> = TextOf::new().str("the tiles of `");
                let text = text.str(L::UNCHECKED.text().as_str());
                let text = text.str("` are not contiguous: a later tile reaches across those of ");
                fail(text.str("the first level; use `fold`, or `relayout` without it").as_str())
            }
        }
    };
}
