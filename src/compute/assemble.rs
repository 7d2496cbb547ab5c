//! Arrays from parts of other arrays: slices, concatenations, and rows by their numbers.

use super::array::{Array, ArrayMut};
use super::dynamic::sizes_differ;
use super::elements::{elements, elements_mut};
use super::elementwise::{read, write};
use super::memory::{NoMemory, reserved};
use super::windows::{Windows, WindowsOf};
use crate::element::{Element, HostValue};
use crate::movement::PackError;
use crate::movement::run_time::allocate;
use crate::require::{fail, require};
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::window::check_window;
use crate::typed::{IndexOf, Layout, WithElementOf, WithRankOf};
use alloc::vec::Vec;
use layout_core::parts::MAX_RANK;
use layout_core::text::TextOf;
use layout_core::tiled::TiledSpec;

impl<L: Layout> PackedRef<'_, L> {
    /// The part of the array that starts at index `first`, as an array of the layout `ResultLayout`, which has the shape of the part.
    /// This is XLA's `dynamic-slice`.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let rows = <tpu!(s32[3,4])>::pack(&(0..12).collect::<Vec<_>>()).unwrap();
    /// let part = rows.slice::<tpu!(s32[2,2])>([1, 2]);
    /// assert_eq!(part.unpack(), [6, 7, 10, 11]);
    /// ```
    ///
    /// Takes time proportional to the size of the part, not of the array.
    ///
    /// # Panics
    /// If the part is not within the array. If memory cannot be allocated, as collections do; see [`PackedRef::try_slice`].
    #[track_caller]
    pub fn slice<ResultLayout>(self, first: impl IndexOf<L::Index>) -> Packed<ResultLayout>
    where
        ResultLayout: WithElementOf<L> + WithRankOf<L>,
    {
        match self.try_slice(first) {
            Err(error @ PackError::Window { .. }) => panic!("{error}"),
            result => or_end(result),
        }
    }

    /// [`PackedRef::slice`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::Window`] if the part is not within the array, and [`PackError::OutOfMemory`] if memory for it cannot be
    /// allocated.
    pub fn try_slice<M>(self, first: impl IndexOf<L::Index>) -> Result<Packed<M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        let first = first.index();
        check_part::<L, M>(self.sizes(), &first)?;
        let mut packed = Packed::try_fresh()?;
        let parts = [(first, L::Index::default())];
        copy_parts(self, &mut packed.as_mut(), Const::<M>::SPEC.dims(), parts)?;
        Ok(packed)
    }

    /// This array and `other`, one after the other along dimension `DIM`, as an array of the layout `ResultLayout`. Does not compile
    /// if that layout does not have the resulting sizes.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// type Joined = tpu!(s8[2,3]);
    /// let left = <tpu!(s8[2,2])>::pack(&[1, 2, 4, 5]).unwrap();
    /// let right = <tpu!(s8[2,1])>::pack(&[3, 6]).unwrap();
    /// let joined = left.concatenate::<1, _, Joined>(&right);
    /// assert_eq!(joined.unpack(), [1, 2, 3, 4, 5, 6]);
    /// ```
    ///
    /// Copies each of the two arrays once.
    ///
    /// # Panics
    /// If the current sizes of the arrays differ in another dimension, or if the layout of the result cannot have the resulting
    /// sizes, because dimensions are bounded only in the operands. If memory cannot be allocated, as collections do; see
    /// [`PackedRef::try_concatenate`].
    pub fn concatenate<const DIM: usize, M, ResultLayout>(
        self,
        other: PackedRef<'_, M>,
    ) -> Packed<ResultLayout>
    where
        M: WithElementOf<L> + WithRankOf<L>,
        ResultLayout: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_joined::<L, M, ResultLayout, DIM>() };
        or_end(self.joined::<DIM, M, ResultLayout>(other))
    }

    /// [`PackedRef::concatenate`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::concatenate`], except for a lack of memory.
    pub fn try_concatenate<const DIM: usize, M, T>(
        self,
        other: PackedRef<'_, M>,
    ) -> Result<Packed<T>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
        T: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_joined::<L, M, T, DIM>() };
        self.joined::<DIM, M, T>(other)
    }

    /// Both arrays. Callers check the shapes, so that an error is at the line that calls them.
    fn joined<const DIM: usize, M, T>(self, other: PackedRef<'_, M>) -> Result<Packed<T>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
        T: WithElementOf<L> + WithRankOf<L>,
    {
        let (mut first, mut sizes) = (L::Index::default(), self.dims());
        // rustc has compared only the bounds.
        assert!(
            (0..L::RANK).all(|dim| dim == DIM || self.len(dim) == other.len(dim)),
            "the arrays are joined along dimension {DIM}, but differ in size elsewhere: {:?} and {:?}",
            self.sizes(),
            other.sizes()
        );
        sizes.as_mut()[DIM] += other.len(DIM);
        let mut packed = Packed::<T>::try_fresh()?.sized(sizes.as_ref());
        packed.as_mut().update_slice(first, self)?;
        first.as_mut()[DIM] = self.len(DIM);
        packed.as_mut().update_slice(first, other)?;
        Ok(packed)
    }

    /// The rows with the numbers `rows`, in that order, as an array of the layout `ResultLayout`, as in the look-up of an embedding.
    /// A row consists of all elements with the same index in dimension 0. Does not compile if the rows of that layout have other sizes.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let table = <tpu!(f32[4,2])>::pack(&[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]).unwrap();
    /// let rows = table.gather_rows::<tpu!(f32[3,2])>(&[2, 0, 2]);
    /// assert_eq!(rows.unpack(), [2.0, 2.5, 0.0, 0.5, 2.0, 2.5]);
    /// ```
    ///
    /// Copies only the rows in the list.
    ///
    /// # Panics
    /// If the layout of the result cannot have as many rows as there are numbers in `rows`, or if a number is not that of a row of
    /// this array. If memory cannot be allocated, as collections do; see [`PackedRef::try_gather_rows`].
    #[track_caller]
    pub fn gather_rows<ResultLayout>(self, rows: &[usize]) -> Packed<ResultLayout>
    where
        ResultLayout: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, ResultLayout>() };
        or_end(self.rows_of(rows))
    }

    /// [`PackedRef::gather_rows`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result, or for the positions in a row, cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::gather_rows`], except for a lack of memory.
    #[track_caller]
    pub fn try_gather_rows<M>(self, rows: &[usize]) -> Result<Packed<M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, M>() };
        self.rows_of(rows)
    }

    /// The rows with these numbers. Callers check the shapes, so that an error is at the line that calls them.
    #[track_caller]
    fn rows_of<M>(self, rows: &[usize]) -> Result<Packed<M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        let (size, mut sizes) = (self.len(0), self.dims());
        sizes.as_mut()[0] = rows.len();
        if let Some(row) = rows.iter().find(|row| **row >= size) {
            panic!("row {row} does not exist: the array has {size}");
        }
        let mut packed = Packed::try_fresh()?.sized(sizes.as_ref());
        copy_rows(self, &mut packed.as_mut(), rows.iter().copied().zip(0..))?;
        Ok(packed)
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// Writes the array `from` over the part of this array that starts at index `first`. This is XLA's `dynamic-update-slice`.
    /// Nothing else changes, not even padding.
    ///
    /// ```
    /// use tensor_layout::{Layout, Packed, tpu};
    /// let mut image = Packed::<tpu!(u8[3,3])>::filled(1);
    /// let patch = Packed::<tpu!(u8[2,2])>::filled(7);
    /// image.update_slice([1, 1], &patch).unwrap();
    /// assert_eq!(image.unpack(), [1, 1, 1, 1, 7, 7, 1, 7, 7]);
    /// ```
    ///
    /// # Errors
    /// [`PackError::Window`] if the part is not within this array, and [`PackError::OutOfMemory`] if memory for a window of it
    /// cannot be allocated. Nothing has then been written.
    pub fn update_slice<M>(
        &mut self,
        first: impl IndexOf<L::Index>,
        from: PackedRef<'_, M>,
    ) -> Result<(), PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        overwrite(from, self, first.index().as_ref())
    }

    /// Writes the rows of `from` over the rows of this array that start at number `first`, as a step of decoding does with a
    /// key-value cache. A row consists of all elements with the same index in dimension 0. Does not compile if the rows differ
    /// in size.
    ///
    /// ```
    /// use tensor_layout::{Layout, Packed, half::bf16, tpu};
    /// let mut cache = Packed::<tpu!(bf16[4096,64])>::zeroed().unwrap();
    /// let key = Packed::<tpu!(bf16[1,64])>::filled(bf16::ONE);
    /// cache.update_rows(100, &key).unwrap();
    /// assert_eq!((cache.get([100, 63]), cache.get([101, 0])), (bf16::ONE, bf16::ZERO));
    /// ```
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the current sizes of the rows differ, [`PackError::Window`] if the array does not have that many
    /// rows, and [`PackError::OutOfMemory`] if memory for the positions in a row cannot be allocated. Nothing has then been
    /// written.
    pub fn update_rows<M>(&mut self, first: usize, from: PackedRef<'_, M>) -> Result<(), PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, M>() };
        self.overwrite_rows(first, from)
    }

    /// Writes the rows. Callers check the shapes, so that an error is at the line that calls them.
    fn overwrite_rows<M>(&mut self, first: usize, from: PackedRef<'_, M>) -> Result<(), PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        // rustc has compared only the bounds.
        if self.as_ref().sizes()[1..] != from.sizes()[1..] {
            return Err(sizes_differ(Const::<L>::SPEC, Const::<M>::SPEC));
        }
        let (rows, count) = (self.len(0), from.len(0));
        if first > rows || count > rows - first {
            return Err(PackError::Window { dim: 0, layout: (*Const::<L>::SPEC).into() });
        }
        copy_rows(from, self, (0..count).zip(first..))
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::slice[ResultLayout](first: impl IndexOf<L::Index>) -> Packed<ResultLayout> // x.slice::<L>([i, j])
            where [ResultLayout: WithElementOf<L> + WithRankOf<L>];
        PackedRef::try_slice[M](first: impl IndexOf<L::Index>) -> Result<Packed<M>, PackError>
            where [M: WithElementOf<L> + WithRankOf<L>];
    }

    /// See [`PackedRef::concatenate`].
    ///
    /// # Panics
    /// As for [`PackedRef::concatenate`].
    #[track_caller]
    pub fn concatenate<const DIM: usize, M, ResultLayout /* x.concatenate::<1, _, L>(&y) */>(
        &self,
        other: &Packed<M>,
    ) -> Packed<ResultLayout>
    where
        M: WithElementOf<L> + WithRankOf<L>,
        ResultLayout: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_joined::<L, M, ResultLayout, DIM>() };
        or_end(self.as_ref().joined::<DIM, M, ResultLayout>(other.as_ref()))
    }

    /// See [`PackedRef::try_concatenate`].
    ///
    /// # Errors
    /// As for [`PackedRef::try_concatenate`].
    pub fn try_concatenate<const DIM: usize, M, T>(
        &self,
        other: &Packed<M>,
    ) -> Result<Packed<T>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
        T: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_joined::<L, M, T, DIM>() };
        self.as_ref().joined::<DIM, M, T>(other.as_ref())
    }

    /// See [`PackedRef::gather_rows`].
    ///
    /// # Panics
    /// As for [`PackedRef::gather_rows`].
    #[track_caller]
    pub fn gather_rows<ResultLayout>(&self, rows: &[usize]) -> Packed<ResultLayout>
    where
        ResultLayout: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, ResultLayout>() };
        or_end(self.as_ref().rows_of(rows))
    }

    /// See [`PackedRef::try_gather_rows`].
    ///
    /// # Errors
    /// As for [`PackedRef::try_gather_rows`].
    ///
    /// # Panics
    /// As for [`PackedRef::try_gather_rows`].
    #[track_caller]
    pub fn try_gather_rows<M>(&self, rows: &[usize]) -> Result<Packed<M>, PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, M>() };
        self.as_ref().rows_of(rows)
    }

    /// See [`PackedMut::update_rows`].
    ///
    /// # Errors
    /// As for [`PackedMut::update_rows`].
    pub fn update_rows<M>(&mut self, first: usize, from: &Packed<M>) -> Result<(), PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        const { assert_rows::<L, M>() };
        self.as_mut().overwrite_rows(first, from.as_ref())
    }

    forward! {
        PackedMut::update_slice[M](first: impl IndexOf<L::Index>, from: &Packed<M> => from.as_ref()) -> Result<(), PackError>
            where [M: WithElementOf<L> + WithRankOf<L>];
    }
}

/// Writes the array `from` over the part of `to` that starts at index `first`.
///
/// # Errors
/// [`PackError::Window`] if the part is not within the array, and [`PackError::OutOfMemory`] if memory for a window of it
/// cannot be allocated. Nothing has then been written.
pub(super) fn overwrite<A: Array, T: ArrayMut<Element = A::Element>>(
    from: A,
    to: &mut T,
    first: &[usize],
) -> Result<(), PackError> {
    let array = to.as_array();
    check_window(array.spec(), array.sizes(), first, from.sizes())?;
    copy_parts(from, to, from.sizes(), [(&[0; MAX_RANK][..first.len()], first)])
}

/// Copies parts of sizes `sizes`, which are given as pairs of the first index in `from` and the first index in `to`. Callers have
/// checked that they are within the arrays.
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for a window cannot be allocated. Nothing has then been written.
pub(super) fn copy_parts<A: Array, T: ArrayMut<Element = A::Element>, I: AsRef<[usize]>>(
    from: A,
    to: &mut T,
    sizes: &[usize],
    parts: impl IntoIterator<Item = (I, I)>,
) -> Result<(), PackError> {
    let mut copy = PartCopy::new(to.as_array().spec(), sizes)?;
    for (source, destination) in parts {
        copy.run(from, source.as_ref(), to, destination.as_ref());
    }
    Ok(())
}

/// Memory for copies of parts of equal sizes.
pub(super) struct PartCopy<H> {
    windows: Windows,
    buffer: Vec<H>,
}

impl<H: HostValue> PartCopy<H> {
    /// For parts of sizes `sizes` of arrays of the layout `spec`.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for a window cannot be allocated.
    pub(super) fn new(spec: &TiledSpec, sizes: &[usize]) -> Result<Self, PackError> {
        let windows = Windows::new(spec, sizes, None);
        let buffer = allocate(spec, windows.largest.elements())?;
        Ok(Self { windows, buffer })
    }

    /// Copies the part that starts at index `source` of `from` to the part that starts at index `destination` of `to`.
    pub(super) fn run<A, T>(&mut self, from: A, source: &[usize], to: &mut T, destination: &[usize])
    where
        A: Array<Element: Element<Host = H>>,
        T: ArrayMut<Element = A::Element>,
    {
        let of_from = WindowsOf::<A>::new(from.spec());
        let of_to = WindowsOf::<T>::new(to.as_array().spec());
        for window in self.windows.clone() {
            let buffer = &mut self.buffer[..window.elements()];
            of_from.read(from, &window.within(source), buffer);
            of_to.write(to, &window.within(destination), buffer);
        }
    }
}

/// Checks that the part that starts at index `first` and has the shape of `M` is within an array of sizes `sizes`.
pub(super) fn check_part<L: Layout, M: Layout>(
    sizes: &[usize],
    first: &L::Index,
) -> Result<(), PackError> {
    check_window(Const::<L>::SPEC, sizes, first.as_ref(), Const::<M>::SPEC.dims())
}

/// Fails to compile unless `T` has the sizes of `L` and `M`, added along dimension `JOINED`.
#[track_caller]
const fn assert_joined<L: Layout, M: Layout, T: Layout, const JOINED: usize>() {
    let text: TextOf<240> = TextOf::new();
    if JOINED >= L::RANK {
        let text = text.str("the arrays do not have dimension ").num(JOINED);
        fail(
            text.str(", along which they are joined: they have ")
                .num(L::RANK)
                .str(" dimensions")
                .as_str(),
        )
    }
    let (a, b, both) = (Const::<L>::SPEC.dims(), Const::<M>::SPEC.dims(), Const::<T>::SPEC.dims());
    let mut dim = 0;
    while dim < L::RANK {
        let fits = match dim == JOINED {
            true => matches!(a[dim].checked_add(b[dim]), Some(sum) if sum == both[dim]),
            false => a[dim] == b[dim] && a[dim] == both[dim],
        };
        if !fits {
            let text = text.str("dimension ").num(dim).str(" has sizes ").num(a[dim]).str(" and ");
            let text = text.num(b[dim]).str(", and ").num(both[dim]).str(" in the result");
            let rule = match dim == JOINED {
                true => "; along the dimension of concatenation, the sizes add up",
                false => "; only along the dimension of concatenation, the sizes may differ",
            };
            fail(text.str(rule).as_str())
        }
        dim += 1;
    }
}

/// Fails to compile unless the rows of both arrays have the same sizes.
#[track_caller]
const fn assert_rows<L: Layout, M: Layout>() {
    require(L::RANK > 0, "an array without dimensions has no rows");
    let (a, b) = (Const::<L>::SPEC.dims(), Const::<M>::SPEC.dims());
    let mut dim = 1;
    while dim < L::RANK {
        if a[dim] != b[dim] {
            let text: TextOf<200> = TextOf::new().str("the rows of the two arrays have sizes ");
            let text = text.num(a[dim]).str(" and ").num(b[dim]).str(" in dimension ").num(dim);
            fail(text.str("; `slice` takes a part of each row").as_str())
        }
        dim += 1;
    }
}

/// Elements of a row that are contiguous in both arrays.
struct RowRun {
    from: usize,
    to: usize,
    len: usize,
}

/// Copies rows, which are given as pairs of a number in `from` and a number in `to`.
///
/// Unless dimensions are combined, the offset of an element is the sum of a part for its row and a part for its other indices.
/// The latter is computed once for all rows.
fn copy_rows<L: Layout, M>(
    from: PackedRef<'_, L>,
    to: &mut PackedMut<'_, M>,
    rows: impl Iterator<Item = (usize, usize)>,
) -> Result<(), PackError>
where
    M: WithElementOf<L> + WithRankOf<L>,
{
    let combined = const {
        !(Const::<L>::SPEC.map().terms().is_empty() && Const::<M>::SPEC.map().terms().is_empty())
    };
    // An array without rows has no first element whose offset could be computed.
    let is_empty = L::DIMS.as_ref().contains(&0) || M::DIMS.as_ref().contains(&0);
    let len = if is_empty { 0 } else { L::DIMS.as_ref()[1..].iter().product::<usize>() };
    let index_of = |mut number: usize| {
        let mut index = L::Index::default();
        for (i, size) in index.as_mut().iter_mut().zip(L::DIMS.as_ref()).skip(1).rev() {
            (*i, number) = (number % size, number / size);
        }
        index
    };
    let at = |mut index: L::Index, row| {
        index.as_mut()[0] = row;
        index
    };
    if combined {
        for (source, destination) in rows {
            for number in 0..len {
                let index = index_of(number);
                let value = read(&from, L::offset(at(index, source)));
                write(to, M::offset(at(index, destination)), value);
            }
        }
        return Ok(());
    }
    let mut runs: Vec<RowRun> = reserved(len).map_err(NoMemory::of::<M>)?;
    for number in 0..len {
        let index = index_of(number);
        let (source, destination) = (L::offset(index), M::offset(index));
        match runs.last_mut() {
            Some(run) if run.from + run.len == source && run.to + run.len == destination => {
                run.len += 1;
            }
            _ => runs.push(RowRun { from: source, to: destination, len: 1 }),
        }
    }
    for (source, destination) in rows.filter(|_| len > 0) {
        let first = L::Index::default();
        let (source, destination) =
            (L::offset(at(first, source)), M::offset(at(first, destination)));
        if let (Some(to), Some(from)) = (elements_mut(to.reborrow()), elements(from)) {
            for run in &runs {
                let (from, to) = (&from[source + run.from..], &mut to[destination + run.to..]);
                if run.len == 1 {
                    to[0] = from[0];
                } else {
                    to[..run.len].copy_from_slice(&from[..run.len]);
                }
            }
        } else {
            for run in &runs {
                for i in 0..run.len {
                    let value = read(&from, source + run.from + i);
                    write(to, destination + run.to + i, value);
                }
            }
        }
    }
    Ok(())
}
