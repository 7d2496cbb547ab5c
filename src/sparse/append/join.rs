//! Joins tensors that were appended in parts, on several threads.
#![allow(unsafe_code, reason = "arrays are filled in parts, before all of them are elements")]

use super::{Appender, position};
use crate::require::require;
use crate::sparse::memory::MEMORY;
use crate::sparse::storage::{BuildError, LevelParts};
use crate::sparse::tensor::{SparseTensor, Word};
use crate::sparse::typed::Encoding;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::Range;
use layout_core::sparse::{Extent, Position, SparseElement};

/// The positions and coordinates of a level.
type Arrays<'a, P, W> = (&'a mut [MaybeUninit<P>], &'a mut [MaybeUninit<W>]);

/// The destination in the joined tensor to which a part is copied.
struct Destination<'a, P, W, T, const N: usize> {
    /// The positions and coordinates of each level.
    levels: [Arrays<'a, P, W>; N],
    values: &'a mut [MaybeUninit<T>],
    /// The number of positions of the preceding parts, on each level.
    before: [usize; N],
}

impl<E: Encoding, T: SparseElement, const N: usize> Appender<E, T, N> {
    /// A part of a tensor, without entries. It accepts entries whose coordinate on the first level is in `rows`, counted from
    /// the smallest one. [`Appender::join`] joins parts to a tensor.
    ///
    /// # Errors
    /// As for [`Appender::new`].
    pub fn part(shape: E::Index, rows: Range<usize>) -> Result<Self, BuildError> {
        Self::part_reusing(shape, rows, None)
    }

    /// [`Appender::part`] in the memory of another part, whose entries are discarded.
    ///
    /// # Errors
    /// As for [`Appender::new`].
    #[doc(hidden)]
    pub fn part_reusing(
        shape: E::Index,
        rows: Range<usize>,
        old: Option<Self>,
    ) -> Result<Self, BuildError> {
        let mut part = Self::new(shape)?;
        if let Some(old) = old {
            (part.levels, part.values) = (old.levels, old.values);
            part.empty();
        }
        let Extent { least, size } = part.extents[0];
        let end = rows.end.min(size);
        let start = rows.start.min(end);
        let least = least.saturating_add_unsigned(start as u64);
        part.extents[0] = Extent { least, size: end - start };
        Ok(part)
    }

    /// The tensor of all parts, which must be for consecutive rows, from the first row to the last. For encodings of dense,
    /// compressed and singleton levels.
    ///
    /// ```
    /// use tensor_layout::sparse::{Appender, formats::Csr};
    /// let mut parts = [0..2, 2..4].map(|rows| Appender::<Csr, f32, 2>::part([4, 3], rows).unwrap());
    /// parts[1].push([2, 0], [2, 0], 2.0).unwrap();
    /// parts[0].push([0, 2], [0, 2], 1.0).unwrap();
    /// let joined = Appender::join([4, 3], parts.into()).unwrap();
    /// assert_eq!((joined.positions(1), joined.coordinates(1)), (&[0, 1, 1, 2, 2][..], &[2, 0][..]));
    /// ```
    ///
    /// # Errors
    /// As for [`Appender::finish`].
    ///
    /// # Panics
    /// If the parts do not cover all rows.
    pub fn join(shape: E::Index, mut parts: Vec<Self>) -> Result<SparseTensor<E, T>, BuildError> {
        let mut joined = Joined::new(shape)?;
        if let [_] = &parts[..]
            && let Some(mut part) = parts.pop()
        {
            joined.close(core::slice::from_mut(&mut part))?;
            joined.end();
            part.extents = joined.whole.extents;
            return part.sealed();
        }
        joined.append(&mut parts, (1, 1))?;
        joined.finish()
    }

    /// Empties the arrays, and keeps their memory.
    fn empty(&mut self) {
        self.values.clear();
        for LevelParts { positions, coordinates } in &mut self.levels {
            positions.clear();
            coordinates.clear();
        }
    }

    /// Writes all elements of the destination of this part.
    fn copy(&self, destination: Destination<'_, E::Position, Word<E>, T, N>) {
        let Destination { levels, values, before } = destination;
        for ((own, (positions, coordinates)), before) in self.levels.iter().zip(levels).zip(before)
        {
            let stored = own.positions.iter().skip(1);
            let stored = stored.map(|at| E::Position::fitting(before + at.get()));
            positions.iter_mut().zip(stored).for_each(|(destination, at)| {
                destination.write(at);
            });
            coordinates.write_copy_of_slice(&own.coordinates);
        }
        values.write_copy_of_slice(&self.values);
    }
}

/// A tensor to which parts are appended, some at a time: the memory of those that have been appended is free for the next ones.
/// Memory that was never used costs more than the copy, because the system provides each page of it when it is first written.
pub(crate) struct Joined<E: Encoding, T, const N: usize> {
    whole: Appender<E, T, N>,
    /// The coordinate on the first level with which the next part starts.
    next: i64,
}

impl<E: Encoding, T: SparseElement, const N: usize> Joined<E, T, N> {
    /// A tensor without parts.
    ///
    /// # Errors
    /// As for [`Appender::new`].
    pub(crate) fn new(shape: E::Index) -> Result<Self, BuildError> {
        const { require(E::SPEC.joins(), "the levels are dense, compressed or singletons") }
        let whole = Appender::new(shape)?;
        let next = whole.extents[0].least;
        Ok(Self { whole, next })
    }

    /// Appends parts, whose rows must follow those of the last one, and empties them. With these parts, the tensor has `share.0`
    /// of all its `share.1` rows, which is a hint for the memory that it will need.
    ///
    /// # Errors
    /// As for [`Appender::finish`].
    ///
    /// # Panics
    /// If the parts have other rows.
    pub(crate) fn append(
        &mut self,
        parts: &mut [Appender<E, T, N>],
        share: (usize, usize),
    ) -> Result<(), BuildError> {
        self.close(parts)?;
        // First all numbers of elements, then the copies.
        let whole = &mut self.whole;
        let mut before = Vec::with_capacity(parts.len());
        for part in &*parts {
            before.push(whole.count);
            for level in 0..N {
                whole.count[level] += part.count[level];
            }
        }
        let lens = whole.reserve_parts(parts, share)?;
        let values = parts.iter().map(|part| part.values.len()).sum();
        reserve(&mut whole.values, values, share, N - 1)?;
        let mut spare_values = &mut whole.values.spare_capacity_mut()[..values];
        let mut spare = whole.levels.each_mut().map(|level| {
            (level.positions.spare_capacity_mut(), level.coordinates.spare_capacity_mut())
        });
        let mut copies = Vec::with_capacity(parts.len());
        for (part, before) in parts.iter().zip(before) {
            let mut level = 0;
            let destinations = spare.each_mut().map(|(positions, coordinates)| {
                let (ends, words) = part.lens(level);
                level += 1;
                (front(positions, ends), front(coordinates, words))
            });
            let values = front(&mut spare_values, part.values.len());
            copies.push((part, Destination { levels: destinations, values, before }));
        }
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            copies.into_par_iter().for_each(|(part, destination)| part.copy(destination));
        }
        #[cfg(not(feature = "parallel"))]
        copies.into_iter().for_each(|(part, destination)| part.copy(destination));
        for (arrays, (ends, words)) in whole.levels.iter_mut().zip(lens) {
            let positions = arrays.positions.len() + ends;
            // SAFETY: the destinations of all parts are consecutive, starting at the end of the array, and have `ends` elements
            // together, all of which `copy` has written.
            unsafe { arrays.positions.set_len(positions) };
            let coordinates = arrays.coordinates.len() + words;
            // SAFETY: as above, with `words` elements.
            unsafe { arrays.coordinates.set_len(coordinates) };
        }
        let values = whole.values.len() + values;
        // SAFETY: as above.
        unsafe { whole.values.set_len(values) };
        parts.iter_mut().for_each(Appender::empty);
        Ok(())
    }

    /// Closes all segments of parts, whose rows must follow those of the last one.
    fn close(&mut self, parts: &mut [Appender<E, T, N>]) -> Result<(), BuildError> {
        for part in parts {
            assert_eq!(part.extents[0].least, self.next, "the parts have consecutive rows");
            self.next = self.next.saturating_add_unsigned(part.extents[0].size as u64);
            if let Some(error) = part.failed.take() {
                return Err(error);
            }
            part.close_all()?;
        }
        Ok(())
    }

    /// Checks that the parts have all rows.
    fn end(&self) {
        let Extent { least, size } = self.whole.extents[0];
        let end = least.saturating_add_unsigned(size as u64);
        assert_eq!(self.next, end, "the parts have all rows");
    }

    /// The tensor of all parts.
    ///
    /// # Errors
    /// As for [`Appender::finish`].
    ///
    /// # Panics
    /// If the parts do not have all rows.
    pub(crate) fn finish(mut self) -> Result<SparseTensor<E, T>, BuildError> {
        self.end();
        // The first level has a single segment, of which each part has some entries.
        let Appender { levels, count, .. } = &mut self.whole;
        if Appender::<E, T, N>::CONSTANTS[0].rule.has_positions() {
            let positions = &mut levels[0].positions;
            reserve(positions, 2, (1, 1), 0)?;
            positions.extend([E::Position::fitting(0), position::<E::Position>(0, count[0])?]);
        }
        self.whole.sealed()
    }
}

impl<E: Encoding, T: SparseElement, const N: usize> Appender<E, T, N> {
    /// The numbers of positions and coordinates of a level that a part adds to the whole tensor. Each array of positions starts
    /// with a zero, and the first level has a single segment.
    fn lens(&self, level: usize) -> (usize, usize) {
        let LevelParts { positions, coordinates } = &self.levels[level];
        let ends = if level == 0 { 0 } else { positions.len().saturating_sub(1) };
        (ends, coordinates.len())
    }

    /// Reserves memory for the positions and coordinates of parts. Returns their numbers on each level.
    fn reserve_parts(
        &mut self,
        parts: &[Self],
        share: (usize, usize),
    ) -> Result<[(usize, usize); N], BuildError> {
        let mut all = [(0, 0); N];
        for (level, all) in all.iter_mut().enumerate() {
            let (ends, words) = parts.iter().fold((0, 0), |(ends, words), part| {
                let (more_ends, more_words) = part.lens(level);
                (ends + more_ends, words + more_words)
            });
            let LevelParts { positions, coordinates } = &mut self.levels[level];
            if Self::CONSTANTS[level].rule.has_positions() && level > 0 {
                position::<E::Position>(level, self.count[level])?;
                reserve(positions, ends + 1, share, level)?;
                if positions.is_empty() {
                    positions.push(E::Position::fitting(0));
                }
            }
            reserve(coordinates, words, share, level)?;
            *all = (ends, words);
        }
        Ok(all)
    }
}

/// Reserves memory for further elements of an array, and where possible for all that will follow, if the array will then have
/// `share.0` of `share.1` parts of all elements.
fn reserve<T>(
    array: &mut Vec<T>,
    elements: usize,
    share: (usize, usize),
    level: usize,
) -> Result<(), BuildError> {
    let free = array.capacity() - array.len();
    if elements <= free {
        return Ok(());
    }
    let len = array.len() as u128 + elements as u128;
    let all = len.saturating_mul(share.1 as u128) / share.0.max(1) as u128;
    // A sixteenth more, since the parts differ.
    let all = all.saturating_add(all / 16);
    let hint = usize::try_from(all).ok().filter(|_| share.0 < share.1);
    if hint.is_some_and(|all| MEMORY.reserve_exact(array, all - array.len()).is_ok()) {
        return Ok(());
    }
    let memory = |_| BuildError::OutOfMemory { level, positions: elements };
    MEMORY.reserve_exact(array, elements).map_err(memory)
}

/// Splits the first elements off a slice.
fn front<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (front, others) = core::mem::take(rest).split_at_mut(len);
    *rest = others;
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Encoded;
    use crate::sparse::formats::{Coo, Csr};
    use crate::sparse::types::*;

    /// Appends the entries of a tensor that was built from the same entries in groups of parts, and compares the arrays.
    fn check<E: Encoding<Index = [usize; 2]>, const N: usize>() {
        let shape = [8, 12];
        let mut dense = [0.0; 8 * 12];
        for at in [0, 3, 4, 13, 40, 41, 44, 66, 90, 95] {
            dense[at] = at as f64 + 1.0;
        }
        let built = SparseTensor::<E, f64>::from_dense(shape, &dense).unwrap();
        let mut joined = Joined::<E, f64, N>::new(shape).unwrap();
        let size = joined.whole.extents[0].size;
        let mut old: Vec<Appender<E, f64, N>> = Vec::new();
        // Some parts have no rows, and some rows have no entries.
        for group in [&[0..2, 2..4][..], &[4..4, 4..6], &[], &[6..7, 7..8]] {
            let rows = group.iter().map(|rows| rows.start * size / 8..rows.end * size / 8);
            let part = |rows: core::ops::Range<usize>| {
                let part = Appender::part_reusing(shape, rows.clone(), old.pop());
                let mut part = part.unwrap();
                built.for_each(|index, value| {
                    let levels = E::SPEC.target(&index);
                    let levels: [_; N] = core::array::from_fn(|level| levels[level] as usize);
                    if rows.contains(&levels[0]) {
                        part.push(index, levels, *value).unwrap();
                    }
                });
                part
            };
            let mut parts: Vec<_> = rows.map(part).collect();
            let end = group.last().map_or(6, |rows| rows.end);
            joined.append(&mut parts, (end, 8)).unwrap();
            assert!(parts.iter().all(|part| part.values.is_empty()));
            old = parts;
        }
        let whole = joined.finish().unwrap();
        assert_eq!(whole, built);
        assert!(SparseTensor::<E, f64>::assemble(whole.disassemble()).is_ok());
    }

    #[test]
    fn parts_are_joined_in_groups() {
        check::<Csr, 2>();
        check::<Coo, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Compressed>, Level<Dim<1>, Compressed>)>, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Compressed>, Level<Dim<1>, Dense>)>, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Dense>)>, 2>();
        type Bsr = Encoded<
            Rank<2>,
            (
                Level<Floordiv<Dim<0>, 2>, Dense>,
                Level<Floordiv<Dim<1>, 3>, Compressed>,
                Level<Mod<Dim<0>, 2>, Dense>,
                Level<Mod<Dim<1>, 3>, Dense>,
            ),
        >;
        check::<Bsr, 4>();
    }

    #[test]
    #[should_panic(expected = "the parts have consecutive rows")]
    fn rows_that_are_missing_are_refused() {
        let mut joined = Joined::<Csr, f64, 2>::new([4, 4]).unwrap();
        let part = Appender::part([4, 4], 1..2).unwrap();
        let _ = joined.append(&mut [part], (2, 4));
    }

    #[test]
    #[should_panic(expected = "the parts have all rows")]
    fn rows_that_are_missing_at_the_end_are_refused() {
        let mut joined = Joined::<Csr, f64, 2>::new([4, 4]).unwrap();
        let part = Appender::part([4, 4], 0..2).unwrap();
        joined.append(&mut [part], (2, 4)).unwrap();
        let _ = joined.finish();
    }
}
