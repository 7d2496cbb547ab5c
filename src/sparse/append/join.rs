//! Joins tensors that were appended in parts, one part on each thread.
#![allow(unsafe_code, reason = "arrays are filled in parts, before all of them are elements")]

use super::{Appender, position};
use crate::require::require;
use crate::sparse::storage::{BuildError, LevelParts};
use crate::sparse::tensor::{SparseTensor, Word};
use crate::sparse::typed::Encoding;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::Range;
use layout_core::sparse::{Extent, Position, SparseElement};

/// The destination in the joined tensor to which a part is copied.
struct Destination<'a, P, W, T, const N: usize> {
    /// The arrays of each level.
    positions: [&'a mut [MaybeUninit<P>]; N],
    coordinates: [&'a mut [MaybeUninit<W>]; N],
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
        let mut part = Self::new(shape)?;
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
        const { require(E::SPEC.joins(), "the levels are dense, compressed or singletons") }
        let mut whole = Self::new(shape)?;
        Self::close_parts(whole.extents[0], &mut parts)?;
        if let [_] = &parts[..]
            && let Some(mut part) = parts.pop()
        {
            part.extents = whole.extents;
            return part.sealed();
        }
        // First all numbers of elements, then the copies.
        let mut before = Vec::with_capacity(parts.len());
        for part in &parts {
            before.push(whole.count);
            for level in 0..N {
                whole.count[level] += part.count[level];
            }
        }
        whole.reserve_levels(&parts)?;
        let values = parts.iter().map(|part| part.values.len()).sum();
        reserve(&mut whole.values, values, N - 1)?;
        let mut spare_values = &mut whole.values.spare_capacity_mut()[..values];
        let mut spare = whole.levels.each_mut().map(|level| {
            (level.positions.spare_capacity_mut(), level.coordinates.spare_capacity_mut())
        });
        let mut copies = Vec::with_capacity(parts.len());
        for (part, before) in parts.into_iter().zip(before) {
            let (mut positions, mut coordinates) = (part.levels.iter(), part.levels.iter());
            let mut level = 0;
            let positions = spare.each_mut().map(|(rest, _)| {
                let own = positions.next().map_or(0, |own| own.positions.len());
                level += 1;
                front(rest, if level == 1 { 0 } else { own.saturating_sub(1) })
            });
            let coordinates = spare.each_mut().map(|(_, rest)| {
                front(rest, coordinates.next().map_or(0, |own| own.coordinates.len()))
            });
            let values = front(&mut spare_values, part.values.len());
            copies.push((part, Destination { positions, coordinates, values, before }));
        }
        let lens = copies.iter().fold([(0, 0); N], |mut lens, (_, destination)| {
            for (level, len) in lens.iter_mut().enumerate() {
                len.0 += destination.positions[level].len();
                len.1 += destination.coordinates[level].len();
            }
            lens
        });
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            copies.into_par_iter().for_each(|(part, destination)| part.copy(destination));
        }
        #[cfg(not(feature = "parallel"))]
        copies.into_iter().for_each(|(part, destination)| part.copy(destination));
        for (arrays, (positions, coordinates)) in whole.levels.iter_mut().zip(lens) {
            let positions = arrays.positions.len() + positions;
            // SAFETY: the destinations of all parts are consecutive, starting at the end of the array, and `copy` has written all
            // elements of each.
            unsafe { arrays.positions.set_len(positions) };
            // SAFETY: as above; no coordinates precede them.
            unsafe { arrays.coordinates.set_len(coordinates) };
        }
        // SAFETY: as above.
        unsafe { whole.values.set_len(values) };
        whole.sealed()
    }

    /// Closes all segments of the parts, which must have consecutive rows that cover `rows`.
    fn close_parts(rows: Extent, parts: &mut [Self]) -> Result<(), BuildError> {
        let mut next = rows.least;
        for part in parts {
            assert_eq!(part.extents[0].least, next, "the parts have consecutive rows");
            next = next.saturating_add_unsigned(part.extents[0].size as u64);
            if let Some(error) = part.failed.take() {
                return Err(error);
            }
            part.close_all()?;
        }
        let end = rows.least.saturating_add_unsigned(rows.size as u64);
        assert_eq!(next, end, "the parts have all rows");
        Ok(())
    }

    /// Reserves memory for the positions and coordinates of all parts, and writes the positions that precede them.
    fn reserve_levels(&mut self, parts: &[Self]) -> Result<(), BuildError> {
        let lens = |array: fn(&LevelParts<E::Position, Word<E>>) -> usize, level: usize| {
            parts.iter().map(move |part| array(&part.levels[level])).sum::<usize>()
        };
        for level in 0..N {
            let LevelParts { positions, coordinates } = &mut self.levels[level];
            if Self::CONSTANTS[level].rule.has_positions() {
                position::<E::Position>(level, self.count[level])?;
                // The first level has a single segment, and each part has some of its entries.
                let ends = match level {
                    0 => 1,
                    _ => lens(|arrays| arrays.positions.len() - 1, level),
                };
                reserve(positions, ends + 1, level)?;
                positions.push(E::Position::fitting(0));
                if level == 0 {
                    positions.push(E::Position::fitting(self.count[0]));
                }
            }
            reserve(coordinates, lens(|arrays| arrays.coordinates.len(), level), level)?;
        }
        Ok(())
    }

    /// Writes all elements of the destination of this part.
    fn copy(self, destination: Destination<'_, E::Position, Word<E>, T, N>) {
        let Destination { positions, coordinates, values, before } = destination;
        let levels = self.levels.iter().zip(positions).zip(coordinates).zip(before);
        for (((own, positions), coordinates), before) in levels {
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

/// Reserves memory for the elements of an array.
fn reserve<T>(array: &mut Vec<T>, elements: usize, level: usize) -> Result<(), BuildError> {
    let memory = |_| BuildError::OutOfMemory { level, positions: elements };
    array.try_reserve_exact(elements).map_err(memory)
}

/// Splits the first elements off a slice.
fn front<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (front, others) = core::mem::take(rest).split_at_mut(len);
    *rest = others;
    front
}
