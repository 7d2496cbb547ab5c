use super::attributes::{self, Attributes};
use super::types::{Order, Sealed, Shape, Tiles};
use crate::element::Element;
use crate::movement::{PackError, Plan};
use crate::typed::{Layout, Packed, RowMajor, Specified};
use core::marker::PhantomData;
use layout_core::tiled::{Draft, Subject, TiledSpec, checked};

/// A layout of an array as a type: element type, shape, minor_to_major order, tiles and attributes.
///
/// Write it with the macro `tiled!`; the type has no values. Equal layouts are the same type wherever they are written.
/// Its functions are those of [`Layout`](crate::Layout); most of them are also functions of the type itself.
///
/// ```
/// use tensor_layout::{BF16, Tiled, tiled};
/// use tensor_layout::types::{Order2, Shape2, Tile2};
/// type Written = tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)});
/// type Same = Tiled<BF16, Shape2<1000, 384>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
/// let _: fn(Written) -> Same = |layout| layout;                   // one type
/// assert_eq!(Written::BYTES, 1000 * 384 * 2);
/// ```
#[allow(clippy::type_complexity, reason = "the parameters are the layout")]
pub struct Tiled<E, S, O, T = (), A = ()> {
    marker: PhantomData<fn() -> (E, S, O, T, A)>,
}

impl<E: Element, S: Shape, O: Order, T: Tiles, A: Attributes> Sealed for Tiled<E, S, O, T, A> {}

#[diagnostic::do_not_recommend]
impl<E: Element, S: Shape, O: Order, T: Tiles, A: Attributes> Specified for Tiled<E, S, O, T, A> {
    type Stored = E;
    type Sizes = S;
    type PerWord = A::Packing<E>;
    type RunTimeSizes = A::Sizes<S>;
    const DRAFT: Draft = {
        let mut draft = Draft::untiled(E::DTYPE, S::SIZES, O::DIMS);
        draft.tiles = T::LIST;
        attributes::apply(draft, A::VALUES)
    };
}

/// Checks the layout `L`, and returns `size`, one of its sizes: macros wrap expressions in this function so that rustc checks them.
/// `at` is the number of the expression in the layout; `subjects` lists the size that each expression represents.
///
/// # Panics
/// If the layout breaks a rule about this size; in const evaluation that is a compile error at the call. Rules that are not
/// about any expression are reported at the first one.
#[track_caller]
pub const fn checked_size<L: Specified>(size: usize, subjects: &[Subject], at: usize) -> usize {
    if let Err(problem) = &L::VALIDATED {
        let mut about = 0;
        while about < subjects.len() && !problem.subject().is(subjects[about]) {
            about += 1;
        }
        if at == about || at == 0 && about == subjects.len() {
            checked(&L::VALIDATED);
        }
    }
    size
}

/// The items of [`Layout`](crate::Layout), without importing that trait. The functions check the layout themselves, so that
/// rustc reports a broken rule at the line that calls them.
impl<E: Element, S: Shape, O: Order, T: Tiles, A: Attributes> Tiled<E, S, O, T, A> {
    /// See [`Layout::RANK`].
    pub const RANK: usize = <Self as Layout>::RANK;
    /// See [`Layout::DIMS`].
    pub const DIMS: S::Index = <Self as Layout>::DIMS;
    /// See [`Layout::LEN`].
    pub const LEN: usize = <Self as Layout>::LEN;
    /// See [`Layout::BYTES`].
    pub const BYTES: usize = <Self as Layout>::BYTES;
    /// See [`Layout::SPEC`].
    pub const SPEC: TiledSpec = <Self as Layout>::SPEC;
    /// See [`Layout::TILE_LEN`].
    pub const TILE_LEN: usize = <Self as Layout>::TILE_LEN;

    /// See [`Layout::PLAN`].
    pub const PLAN: &'static Plan<'static> = <Self as Layout>::PLAN;

    /// See [`Layout::offset`].
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline(always)]
    #[track_caller]
    pub fn offset(index: S::Index /* L::offset([i, j]) */) -> usize {
        let () = <Self as Specified>::CHECKED;
        <Self as Layout>::offset(index)
    }

    /// See [`Layout::index`].
    #[inline(always)]
    pub fn index(offset: usize) -> Option<S::Index> {
        let () = <Self as Specified>::CHECKED;
        <Self as Layout>::index(offset)
    }

    /// See [`Layout::pack`].
    ///
    /// # Errors
    /// As for [`Layout::pack`].
    pub fn pack(row_major: &(impl RowMajor<E::Host> + ?Sized)) -> Result<Packed<Self>, PackError> {
        let () = <Self as Specified>::CHECKED;
        <Self as Layout>::pack(row_major.row_major())
    }

    /// See [`Layout::pack_into`].
    ///
    /// # Errors
    /// As for [`Layout::pack_into`].
    pub fn pack_into(row_major: &[E::Host], packed: &mut [u8]) -> Result<(), PackError> {
        let () = <Self as Specified>::CHECKED;
        <Self as Layout>::pack_into(row_major, packed)
    }

    /// See [`Layout::unpack_into`].
    ///
    /// # Errors
    /// As for [`Layout::unpack_into`].
    pub fn unpack_into(packed: &[u8], row_major: &mut [E::Host]) -> Result<(), PackError> {
        let () = <Self as Specified>::CHECKED;
        <Self as Layout>::unpack_into(packed, row_major)
    }
}
