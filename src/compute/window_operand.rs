//! Windows of arrays as operands and destinations of products.

use super::assemble::{PartCopy, check_part};
use super::matmul::{Operand, OperandMut};
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::sizes::bounds;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, IndexOf, Layout, WithElementOf, WithRankOf};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use layout_core::parts::{MAX_RANK, Part};
use layout_core::tiled::TiledSpec;

/// A window of an array as an operand of products, in the layout `M`; see [`PackedRef::window`].
///
/// ```
/// use tensor_layout::{Layout, Operand, Packed, compute::Window, tiled};
/// let rows = <tiled!(f32[4,2])>::pack(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])?;
/// let window: Window<'_, tiled!(f32[2,2])> = rows.window([2, 0]);
/// assert_eq!(window.view().unpack(), [4.0, 5.0, 6.0, 7.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct Window<'a, M: Layout>(Held<'a, M>);

enum Held<'a, M: Layout> {
    InPlace(PackedRef<'a, M>),
    Copy(Packed<M>),
}

/// A window of an array as a destination of products, in the layout `M`; see [`PackedMut::window_mut`]. If the window is a copy,
/// it is written back to the array when this value is dropped.
///
/// ```
/// use tensor_layout::{OperandMut, Packed, tiled};
/// let mut array = Packed::<tiled!(f32[2,3]{1,0:T(2,2)})>::zeroed()?;
/// {
///     let mut column = array.window_mut::<tiled!(f32[2,1])>([0, 1]);
///     column.view_mut().set([1, 0], 5.0)?;
/// }                                                               // the copy is written back here
/// assert_eq!(array.get([1, 1]), 5.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct WindowMut<'a, L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    array: PackedMut<'a, L>,
    first: L::Index,
    held: HeldMut<L, M>,
}

#[allow(clippy::large_enum_variant, reason = "a box would need an allocation, which can fail")]
enum HeldMut<L: Layout, M: Layout> {
    /// The bytes of the array that are the window.
    InPlace(Range<usize>),
    /// A copy, and the memory with which it is written back, if it was changed.
    Copy { window: Packed<M>, back: PartCopy<Host<L>>, is_changed: bool },
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// The part of the array that starts at index `first` and has the shape of `M`, as an operand of products.
    ///
    /// If its elements are contiguous in the order of `M`, as whole rows of tiles are, it is read in place. Otherwise it is a
    /// copy, as [`PackedRef::slice`] makes it.
    ///
    /// ```
    /// use tensor_layout::{Packed, half::bf16, matmul, tpu};
    /// let tokens = Packed::<tpu!(bf16[64,128])>::filled(bf16::ONE);
    /// let weights = Packed::<tpu!(bf16[128,10])>::filled(bf16::ONE);
    /// let batch = tokens.window::<tpu!(bf16[16,128])>([32, 0]);
    /// let sums: Packed<tpu!(f32[16,10])> = matmul(&batch, &weights);
    /// assert_eq!(sums.get([15, 9]), 128.0);
    /// ```
    ///
    /// # Panics
    /// If the part is not within the array. If memory for a copy cannot be allocated, as collections do; see
    /// [`PackedRef::try_window`].
    #[track_caller]
    pub fn window<M>(self, first: impl IndexOf<L::Index>) -> Window<'a, M>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        or_panic(self.try_window(first))
    }

    /// [`PackedRef::window`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::Window`] if the part is not within the array, and [`PackError::OutOfMemory`] if memory for a copy cannot be
    /// allocated.
    pub fn try_window<M>(self, first: impl IndexOf<L::Index>) -> Result<Window<'a, M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        let first = first.index();
        check_part::<L, M>(self.sizes(), &first)?;
        Ok(Window(match Between::<L, M>::bytes(first) {
            Some(bytes) => Held::InPlace(PackedRef::sized(&self.as_bytes()[bytes], bounds::<M>())),
            None => Held::Copy(self.try_slice(first)?),
        }))
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// The part of the array that starts at index `first` and has the shape of `M`, as a destination of products. Nothing outside
    /// of it changes.
    ///
    /// If its elements are contiguous in the order of `M`, without padding between them, it is written in place. Otherwise it is a
    /// copy, which is written back when the window is dropped.
    ///
    /// ```
    /// use tensor_layout::{Packed, half::bf16, matmul_into, tpu};
    /// let head = Packed::<tpu!(bf16[20,64])>::filled(bf16::ONE);
    /// let weights = Packed::<tpu!(bf16[64,32])>::filled(bf16::ONE);
    /// let mut heads = Packed::<tpu!(f32[20,128])>::filled(-1.0);
    /// matmul_into(&head, &weights, &mut heads.window_mut::<tpu!(f32[20,32])>([0, 96]));
    /// assert_eq!((heads.get([19, 95]), heads.get([19, 96])), (-1.0, 64.0));
    /// ```
    ///
    /// # Panics
    /// If the part is not within the array. If memory for a copy cannot be allocated, as collections do; see
    /// [`PackedMut::try_window_mut`].
    #[track_caller]
    pub fn window_mut<M>(&mut self, first: impl IndexOf<L::Index>) -> WindowMut<'_, L, M>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        or_panic(self.try_window_mut(first))
    }

    /// [`PackedMut::window_mut`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::Window`] if the part is not within the array, and [`PackError::OutOfMemory`] if memory for a copy cannot be
    /// allocated.
    pub fn try_window_mut<M>(
        &mut self,
        first: impl IndexOf<L::Index>,
    ) -> Result<WindowMut<'_, L, M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        self.reborrow().into_window(first)
    }
}

impl<'a, L: Layout> PackedMut<'a, L> {
    fn into_window<M>(self, first: impl IndexOf<L::Index>) -> Result<WindowMut<'a, L, M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        let first = first.index();
        check_part::<L, M>(self.as_ref().sizes(), &first)?;
        // A product also writes the padding of its destination.
        let is_dense = const { Const::<M>::SPEC.len() == Const::<M>::SPEC.elements() };
        let held = match Between::<L, M>::bytes(first).filter(|_| is_dense) {
            Some(bytes) => HeldMut::InPlace(bytes),
            None => HeldMut::Copy {
                window: self.as_ref().try_slice(first)?,
                back: PartCopy::new(Const::<L>::SPEC, Const::<M>::SPEC.dims())?,
                is_changed: false,
            },
        };
        Ok(WindowMut { array: self, first, held })
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::window[M](first: impl IndexOf<L::Index>) -> Window<'_, M>
            where [M: WithElementOf<L> + WithRankOf<L>];
        PackedRef::try_window[M](first: impl IndexOf<L::Index>) -> Result<Window<'_, M>, PackError>
            where [M: WithElementOf<L> + WithRankOf<L>];
    }

    /// See [`PackedMut::window_mut`].
    ///
    /// # Panics
    /// As for [`PackedMut::window_mut`].
    #[track_caller]
    pub fn window_mut<M>(&mut self, first: impl IndexOf<L::Index>) -> WindowMut<'_, L, M>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        or_panic(self.try_window_mut(first))
    }

    /// See [`PackedMut::try_window_mut`].
    ///
    /// # Errors
    /// As for [`PackedMut::try_window_mut`].
    pub fn try_window_mut<M>(
        &mut self,
        first: impl IndexOf<L::Index>,
    ) -> Result<WindowMut<'_, L, M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        self.as_mut().into_window(first)
    }
}

#[track_caller]
fn or_panic<T>(result: Result<T, PackError>) -> T {
    match result {
        Err(error @ PackError::Window { .. }) => panic!("{error}"),
        result => or_end(result),
    }
}

#[diagnostic::do_not_recommend]
impl<M: Layout> Operand for Window<'_, M> {
    type Layout = M;
    fn view(&self) -> PackedRef<'_, M> {
        match &self.0 {
            Held::InPlace(view) => *view,
            Held::Copy(copy) => copy.as_ref(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<L, M> Operand for WindowMut<'_, L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    type Layout = M;
    fn view(&self) -> PackedRef<'_, M> {
        match &self.held {
            HeldMut::InPlace(bytes) => {
                PackedRef::sized(&self.array.as_bytes()[bytes.clone()], bounds::<M>())
            }
            HeldMut::Copy { window, .. } => window.as_ref(),
        }
    }
}

impl<L, M> OperandMut for WindowMut<'_, L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    fn view_mut(&mut self) -> PackedMut<'_, M> {
        match &mut self.held {
            HeldMut::InPlace(bytes) => {
                PackedMut::sized(&mut self.array.as_bytes_mut()[bytes.clone()], bounds::<M>())
            }
            HeldMut::Copy { window, is_changed, .. } => {
                *is_changed = true;
                window.as_mut()
            }
        }
    }
}

impl<L, M> Drop for WindowMut<'_, L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    fn drop(&mut self) {
        if let HeldMut::Copy { window, back, is_changed: true } = &mut self.held {
            let start = L::Index::default();
            back.run(window.as_ref(), start.as_ref(), &mut self.array, self.first.as_ref());
        }
    }
}

impl<M: Layout> fmt::Debug for Window<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<L, M> fmt::Debug for WindowMut<'_, L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

/// How windows of the layout `M` are stored in arrays of the layout `L`.
struct Between<L, M>(PhantomData<(L, M)>);

impl<L, M> Between<L, M>
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L>,
{
    const STARTS: Option<[Starts; MAX_RANK]> = starts(Const::<L>::SPEC, Const::<M>::SPEC);

    /// The bytes of the window that starts at index `first`, if they are those of an array of the layout `M`. The window is
    /// within the array.
    fn bytes(first: L::Index) -> Option<Range<usize>> {
        let starts = const { Self::STARTS.as_ref() }?;
        if !first.as_ref().iter().zip(starts).all(|(at, starts)| starts.contain(*at)) {
            return None;
        }
        let bits = L::offset(first) * const { Const::<L>::SPEC.stored_bits() };
        let (start, end) = (bits / 8, bits / 8 + M::BYTES);
        (bits.is_multiple_of(8) && end <= L::BYTES).then_some(start..end)
    }
}

/// The indices of a dimension at which windows can start whose bytes are an array of their own.
#[derive(Clone, Copy)]
struct Starts {
    /// They are multiples of this.
    div: usize,
    /// Windows are within one turn of this many times `div`, if there is one.
    turn: Option<usize>,
    /// The size of a window, in units of `div`.
    size: usize,
}

impl Starts {
    fn contain(&self, at: usize) -> bool {
        at.is_multiple_of(self.div)
            && self.turn.is_none_or(|turn| at / self.div % turn + self.size <= turn)
    }
}

/// The starts in each dimension; `None` if no bytes of an array are an array of the layout `window`.
///
/// In `f32[64,512]{1,0:T(8,128)}`, windows of the layout `f32[16,512]{1,0:T(8,128)}` start at multiples of 8 in dimension 0, and
/// those of `f32[8,128]{1,0:T(8,128)}` at multiples of 8 and 128.
const fn starts(array: &TiledSpec, window: &TiledSpec) -> Option<[Starts; MAX_RANK]> {
    let (a, w) = (array.map(), window.map());
    if !a.terms().is_empty() || !w.terms().is_empty() || w.elements() == 0 {
        return None;
    }
    if array.stored_bits() != window.stored_bits()
        || array.draft().prefix_bytes != 0
        || window.draft().prefix_bytes != 0
        || window.draft().bounded != 0
    {
        return None;
    }
    let mut starts = [Starts { div: 1, turn: None, size: 1 }; MAX_RANK];
    let mut dim = 0;
    while dim < w.rank() {
        let size = w.bound(dim);
        let (mut div, mut of_array) = (0, next(a.parts(), dim, 0));
        // Only the outermost part of the window may have fewer numbers than the array's part.
        while size > 1
            && let Some(part) = next(w.parts(), dim, div)
            && part.div < size
        {
            match &of_array {
                Some(same) if same.div == part.div && same.stride == part.stride => {}
                _ => return None,
            }
            div = part.div;
            of_array = next(a.parts(), dim, div);
        }
        let turn = match &of_array {
            Some(outer) => outer.div.checked_div(div),
            None => None,
        };
        // Windows of size 1 start anywhere.
        let div = if div == 0 { 1 } else { div };
        starts[dim] = Starts { div, turn, size: size.div_ceil(div) };
        dim += 1;
    }
    Some(starts)
}

/// The part of a dimension with the smallest `div` above `div`.
const fn next(parts: &[Part], dim: usize, div: usize) -> Option<Part> {
    let (mut next, mut i): (Option<Part>, usize) = (None, 0);
    while i < parts.len() {
        let part = parts[i];
        i += 1;
        let is_nearer = match &next {
            Some(nearest) => part.div < nearest.div,
            None => true,
        };
        if part.source == dim && part.size > 1 && part.div > div && is_nearer {
            next = Some(part);
        }
    }
    next
}
