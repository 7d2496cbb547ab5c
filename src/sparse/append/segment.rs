//! Appends the entries of one segment in a tight loop that does not touch the appender.
#![allow(unsafe_code, reason = "elements written after the end of the arrays become part of them")]

use super::Appender;
use crate::require::require;
use crate::sparse::memory::MEMORY;
use crate::sparse::storage::BuildError;
use crate::sparse::typed::Encoding;
use core::mem::MaybeUninit;
use layout_core::sparse::{Coordinate, Extent, SparseElement};

/// Writes the entries of one segment of the last level to the spare capacity of the arrays of an [`Appender`]. They become part
/// of the arrays once all are written. The writers of two appenders cannot be swapped:
///
/// ```compile_fail,E0521
/// # use tensor_layout::sparse::{Appender, formats::Csr};
/// # let [mut a, mut b] = [(); 2].map(|()| Appender::<Csr, f32, 2>::new([2, 3]).unwrap());
/// a.segment([0, 0], 1, |own| {
///     let _ = b.segment([0, 0], 1, |other| Ok(std::mem::swap(own, other)));
///     Ok(())
/// });
/// ```
pub struct SegmentWriter<'a, C: Coordinate, T> {
    /// Both have the same length, which is the largest number of entries.
    words: &'a mut [MaybeUninit<C::Word>],
    values: &'a mut [MaybeUninit<T>],
    /// The number of elements that have been written.
    len: usize,
    /// The next coordinate must be at least `next` and less than `end`.
    next: i64,
    end: i64,
    /// The first coordinate that was rejected. All later ones are rejected too.
    refused: Option<i64>,
}

/// The error of [`SegmentWriter::push`]: the level does not have the coordinate, or the coordinate is not greater than the
/// previous one. [`Appender::finish`](super::Appender::finish) reports the entry as a [`BuildError`](crate::sparse::BuildError).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused(());

impl<C: Coordinate, T> SegmentWriter<'_, C, T> {
    /// Writes an entry with a coordinate on the last level.
    ///
    /// # Errors
    /// If the level does not have the coordinate, or if the coordinate does not come after the previous one.
    ///
    /// # Panics
    /// If there are more entries than the largest number that the segment was opened with.
    #[inline(always)]
    pub fn push(&mut self, coordinate: usize, value: T) -> Result<(), Refused> {
        let coordinate = coordinate as i64;
        // One comparison is enough: a coordinate below `next` wraps around to a large unsigned number.
        let (offset, size) = (coordinate.wrapping_sub(self.next), self.end.wrapping_sub(self.next));
        if offset as u64 >= size as u64 {
            self.refused.get_or_insert(coordinate);
            self.end = self.next;
            return Err(Refused(()));
        }
        // The coordinate fits its word: the appender checked that the coordinates of the shape do.
        self.words[self.len].write(C::word(coordinate));
        self.values[self.len].write(value);
        self.len += 1;
        self.next = coordinate + 1;
        Ok(())
    }
}

impl<E: Encoding, T: SparseElement, const N: usize> Appender<E, T, N> {
    /// Appends the entries of one segment of the last level. `entries` writes them, at most `most` in number. `levels` are the
    /// coordinates on the levels above; its last element is ignored. For encodings whose last level is `compressed` and in which no
    /// level has padding or is `nonunique`.
    ///
    /// ```
    /// use tensor_layout::sparse::{Appender, formats::Csr};
    /// let mut rows = Appender::<Csr, f32, 2>::new([2, 3]).unwrap();
    /// rows.segment([1, 0], 2, |row| {
    ///     row.push(0, 2.0)?;
    ///     row.push(2, 3.0)
    /// })
    /// .unwrap();
    /// let rows = rows.finish().unwrap();
    /// assert_eq!((rows.positions(1), rows.coordinates(1)), (&[0, 0, 2][..], &[0, 2][..]));
    /// ```
    ///
    /// # Errors
    /// As for [`Appender::push`], even if `entries` ignores that an entry was rejected. If a segment fails, none of its entries
    /// is appended.
    ///
    /// # Panics
    /// If there are more than `most` entries.
    #[inline(always)]
    pub fn segment(
        &mut self,
        levels: [usize; N],
        most: usize,
        entries: impl FnOnce(&mut SegmentWriter<'_, E::Coordinate, T>) -> Result<(), Refused>,
    ) -> Result<(), BuildError> {
        const {
            require(
                E::SPEC.appends_segments(),
                "the last level does not append entries one after another",
            )
        }
        let words = &mut self.levels[N - 1].coordinates;
        if MEMORY.reserve(words, most).is_err() || MEMORY.reserve(&mut self.values, most).is_err() {
            return Err(self.fail(BuildError::OutOfMemory { level: N - 1, positions: most }));
        }
        let Extent { least, size } = self.extents[N - 1];
        let mut next = least;
        let mut above = self.last.iter().zip(levels).take(N - 1);
        // This may continue the segment of the last entry.
        if self.appended > 0 && above.all(|(last, now)| *last == now as i64) {
            next = self.last[N - 1] + 1;
        }
        let end = least.saturating_add_unsigned(size as u64).max(next);
        let mut writer = SegmentWriter {
            words: &mut words.spare_capacity_mut()[..most],
            values: &mut self.values.spare_capacity_mut()[..most],
            len: 0,
            next,
            end,
            refused: None,
        };
        // The result is not needed, because the writer remembers whether an entry was rejected.
        let _ = entries(&mut writer);
        let SegmentWriter { len, next, refused, .. } = writer;
        if len == 0 && refused.is_none() {
            return Ok(());
        }
        let ended = self.end_segment(levels, len, next, refused);
        ended.map_err(|error| self.fail(error))
    }

    /// Makes the elements that a writer has written part of the arrays.
    #[inline(always)]
    fn end_segment(
        &mut self,
        levels: [usize; N],
        len: usize,
        next: i64,
        refused: Option<i64>,
    ) -> Result<(), BuildError> {
        let path = self.go::<false>(levels)?;
        if let Some(coordinate) = refused {
            return Err(self.refusal(coordinate, len, next));
        }
        self.open(N - 1, Self::LAST, path.above)?;
        let words = &mut self.levels[N - 1].coordinates;
        // SAFETY: this writer has written the first `len` elements after the end of both arrays, which have not changed since.
        // No other writer has its lifetime, so none can have been swapped for it.
        unsafe {
            words.set_len(words.len() + len);
            self.values.set_len(self.values.len() + len);
        }
        self.count[N - 1] += len;
        self.at[N - 1] = self.count[N - 1] - 1;
        self.last[N - 1] = next - 1;
        self.appended += len;
        Ok(())
    }

    /// The reason why a coordinate was rejected after the `len` entries of a segment.
    #[cold]
    #[inline(never)]
    fn refusal(&mut self, coordinate: i64, len: usize, next: i64) -> BuildError {
        let Extent { least, size } = self.extents[N - 1];
        self.appended += len;
        self.last[N - 1] = next - 1;
        match coordinate.wrapping_sub(least) as usize >= size {
            true => self.outside(N - 1, coordinate),
            false => self.disorder(N - 1, coordinate),
        }
    }
}
