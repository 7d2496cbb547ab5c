//! Parts of arrays whose layout is only known at run time.

use super::assemble::{copy_parts, overwrite};
use super::dims::Dim;
use super::dynamic::{DynRef, sizes_differ};
use crate::element::Element;
use crate::movement::PackError;
use crate::typed::DynPacked;
use crate::typed::window::check_window;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

impl<E: Element> DynPacked<E> {
    /// The part of the array that starts at index `first` and has the shape of `spec`, as an array of that layout; see
    /// [`PackedRef::slice`](crate::PackedRef::slice).
    ///
    /// ```
    /// use tensor_layout::{DynPacked, S32, TiledSpec};
    /// let values: Vec<i32> = (0..12).collect();
    /// let rows = DynPacked::<S32>::pack(&"s32[3,4]{1,0:T(8,128)}".parse()?, &values)?;
    /// let part = rows.slice(&[1, 2], &"s32[2,2]{0,1}".parse()?)?;
    /// assert_eq!(part.unpack()?, [6, 7, 10, 11]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Sizes`] if `first` or `spec` has another rank, [`PackError::Window`] if the part is not within the array, and
    /// as for [`DynPacked::zeroed`].
    pub fn slice(&self, first: &[usize], spec: &TiledSpec) -> Result<Self, PackError> {
        self.check_rank(first.len(), spec)?;
        check_window(self.spec(), self.dims(), first, spec.dims())?;
        let mut part = Self::zeroed(spec)?;
        let parts = [(first, &[0; MAX_RANK][..first.len()])];
        copy_parts(DynRef(self), &mut part, spec.dims(), parts)?;
        Ok(part)
    }

    /// This array and `other`, one after the other along dimension `dim`, in the layout `spec`; see
    /// [`PackedRef::concatenate`](crate::PackedRef::concatenate).
    ///
    /// ```
    /// use tensor_layout::{DynPacked, S8};
    /// let left = DynPacked::<S8>::pack(&"s8[2,2]".parse()?, &[1, 2, 4, 5])?;
    /// let right = DynPacked::<S8>::pack(&"s8[2,1]".parse()?, &[3, 6])?;
    /// let joined = left.concatenate(-1, &right, &"s8[2,3]{0,1}".parse()?)?;
    /// assert_eq!(joined.unpack()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the arrays differ in another dimension, or if `spec` cannot have the resulting sizes, and as for
    /// [`DynPacked::zeroed`].
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn concatenate(
        &self,
        dim: impl Dim,
        other: &Self,
        spec: &TiledSpec,
    ) -> Result<Self, PackError> {
        let (rank, dim) = (self.dims().len(), dim.number(self.dims().len()));
        assert!(dim < rank, "dimension {dim} does not exist: the rank is {rank}");
        let (mut first, mut sizes) = ([0; MAX_RANK], [0; MAX_RANK]);
        sizes[..rank].copy_from_slice(self.dims());
        let are_equal = |at: usize| at == dim || other.dims()[at] == sizes[at];
        if other.dims().len() != rank || !(0..rank).all(are_equal) {
            return Err(sizes_differ(self.spec(), other.spec()));
        }
        (first[dim], sizes[dim]) = (sizes[dim], sizes[dim].saturating_add(other.dims()[dim]));
        let mut joined = self.sized(&sizes[..rank], spec)?;
        overwrite(DynRef(self), &mut joined, &[0; MAX_RANK][..rank])?;
        overwrite(DynRef(other), &mut joined, &first[..rank])?;
        Ok(joined)
    }

    /// The rows with the numbers `rows`, in that order, in the layout `spec`; see
    /// [`PackedRef::gather_rows`](crate::PackedRef::gather_rows).
    ///
    /// ```
    /// use tensor_layout::{DynPacked, F32};
    /// let table = DynPacked::<F32>::pack(&"f32[3,2]".parse()?, &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5])?;
    /// let rows = table.gather_rows(&[2, 0, 2], &"f32[<=8,2]{1,0:T(8,128)}".parse()?)?;
    /// assert_eq!(rows.unpack()?, [2.0, 2.5, 0.0, 0.5, 2.0, 2.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Sizes`] if `spec` cannot have that many rows of this size, and as for [`DynPacked::zeroed`].
    ///
    /// # Panics
    /// If a number is not that of a row of this array.
    #[track_caller]
    pub fn gather_rows(&self, rows: &[usize], spec: &TiledSpec) -> Result<Self, PackError> {
        let rank = self.dims().len();
        let mut sizes = [0; MAX_RANK];
        sizes[..rank].copy_from_slice(self.dims());
        let Some(count) = sizes[..rank].first_mut() else {
            return Err(sizes_differ(self.spec(), spec));
        };
        let size = core::mem::replace(count, rows.len());
        if let Some(row) = rows.iter().find(|row| **row >= size) {
            panic!("row {row} does not exist: the array has {size}");
        }
        let mut gathered = self.sized(&sizes[..rank], spec)?;
        let at = |row| {
            let mut first = [0; MAX_RANK];
            first[0] = row;
            first
        };
        sizes[0] = 1;
        let parts = rows.iter().zip(0..).map(|(from, to)| (at(*from), at(to)));
        copy_parts(DynRef(self), &mut gathered, &sizes[..rank], parts)?;
        Ok(gathered)
    }

    /// Writes the array `from` over the part of this array that starts at index `first`; see
    /// [`PackedMut::update_slice`](crate::PackedMut::update_slice).
    ///
    /// # Errors
    /// [`PackError::Sizes`] if `first` or `from` has another rank, [`PackError::Window`] if the part is not within this array,
    /// and [`PackError::OutOfMemory`] if memory for a window of it cannot be allocated. Nothing has then been written.
    pub fn update_slice(&mut self, first: &[usize], from: &Self) -> Result<(), PackError> {
        self.check_rank(first.len(), from.spec())?;
        overwrite(DynRef(from), self, first)
    }

    /// Writes the rows of `from` over the rows of this array that start at number `first`; see
    /// [`PackedMut::update_rows`](crate::PackedMut::update_rows).
    ///
    /// # Errors
    /// [`PackError::Sizes`] if the rows differ in size, and as for [`DynPacked::update_slice`].
    pub fn update_rows(&mut self, first: usize, from: &Self) -> Result<(), PackError> {
        let rank = self.dims().len();
        if rank == 0 || from.dims().len() != rank || from.dims()[1..] != self.dims()[1..] {
            return Err(sizes_differ(self.spec(), from.spec()));
        }
        let mut index = [0; MAX_RANK];
        index[0] = first;
        overwrite(DynRef(from), self, &index[..rank])
    }

    /// Appends the rows of `from` to dimension 0, which must be bounded; see [`Packed::append_rows`](crate::Packed::append_rows).
    ///
    /// ```
    /// use tensor_layout::{DynPacked, F32};
    /// let mut cache = DynPacked::<F32>::zeroed(&"f32[<=64,2]{1,0:T(8,128)}".parse()?)?;
    /// cache.set_len(0, 0)?;
    /// let rows = DynPacked::<F32>::pack(&"f32[2,2]{0,1}".parse()?, &[1.0, 2.0, 3.0, 4.0])?;
    /// cache.append_rows(&rows)?;
    /// cache.append_rows(&rows)?;
    /// assert_eq!((cache.dims(), cache.sum(&[0])?), (&[4, 2][..], vec![8.0, 12.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Window`] if the rows exceed the bound, and as for [`DynPacked::update_rows`]. The array then keeps its size.
    pub fn append_rows(&mut self, from: &Self) -> Result<(), PackError> {
        let (Some(&before), Some(&count)) = (self.dims().first(), from.dims().first()) else {
            return Err(sizes_differ(self.spec(), from.spec()));
        };
        self.set_len(0, before.saturating_add(count))?;
        let result = self.update_rows(before, from);
        if result.is_err() {
            self.set_len(0, before)?;
        }
        result
    }

    /// A new array of the layout `spec` and these sizes.
    fn sized(&self, sizes: &[usize], spec: &TiledSpec) -> Result<Self, PackError> {
        let mut packed = Self::zeroed(spec)?;
        if spec.rank() != sizes.len() || packed.set_dims(sizes).is_err() {
            return Err(sizes_differ(self.spec(), spec));
        }
        Ok(packed)
    }

    /// Checks that an index of `len` numbers and the layout of a part have the rank of this array.
    fn check_rank(&self, len: usize, spec: &TiledSpec) -> Result<(), PackError> {
        if len == self.dims().len() && spec.rank() == len {
            Ok(())
        } else {
            Err(sizes_differ(self.spec(), spec))
        }
    }
}
