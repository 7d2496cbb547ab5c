//! Sums over the entries of a segment, the innermost loop of most kernels.
#![allow(unsafe_code, reason = "a tensor's coordinates were checked when it was made")]

use super::level::LevelRef;
use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use crate::cpu::prefetch_element;
use crate::require::require;
use core::ops::Range;
use layout_core::sparse::{Coordinate, LevelFormat};

/// The number of independent sums, so that additions need not wait for each other. It is the same on every CPU, and so are the
/// results. Entries 0 to 9 of a segment are added to sums 0 1 2 3 0 1 2 3 0 1.
const LANES: usize = 4;

/// The number of entries after which the next values and coordinates are prefetched: 8 values of 8 bytes are a cache line.
const GROUP: usize = 2 * LANES;

/// The number of positions between an entry and the value and coordinate that are prefetched: the CPU prefetches by itself, but
/// only up to the end of a page.
const AHEAD: usize = 256;

/// Reads the values of a tensor together with the elements of `N` vectors of `V` at the coordinates of its last level: the inner
/// loop of a product of a sparse matrix and a vector.
///
/// ```
/// use tensor_layout::sparse::{Gather, SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// let x = [1.0, 10.0, 100.0];
/// let gather = Gather::<_, _, _, 1, 1>::new(&matrix, [&x]);
/// // Row 1 has the positions 1 and 2.
/// let y = gather.reduce(1..3, 0.0, |value, [x]| value * x, |a, b| a + b);
/// assert_eq!(y, 907.0);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub struct Gather<'a, E: Encoding, T, V, const LEVEL: usize, const N: usize> {
    level: LevelRef<'a, E, LEVEL>,
    words: &'a [Word<E>],
    values: &'a [T],
    vectors: [&'a [V]; N],
}

impl<'a, E: Encoding, T: Copy, V: Copy, const LEVEL: usize, const N: usize>
    Gather<'a, E, T, V, LEVEL, N>
{
    /// Gathers from vectors that have an element for each coordinate of the level or, if it is `structured[n, m]`, for each of
    /// the `m` slots.
    ///
    /// # Panics
    /// If a vector has fewer elements.
    #[inline]
    pub fn new(tensor: &'a SparseTensor<E, T>, vectors: [&'a [V]; N]) -> Self {
        Self::with(tensor, tensor.values(), vectors)
    }

    /// [`Gather::new`] with other values.
    #[inline]
    fn with<U>(tensor: &'a SparseTensor<E, U>, values: &'a [T], vectors: [&'a [V]; N]) -> Self {
        const {
            require(LEVEL + 1 == E::SPEC.levels().len(), "values are below the last level");
            require(LevelRef::<E, LEVEL>::COVERED, "coordinates between segments are not checked");
        }
        let level = tensor.level::<LEVEL>();
        assert!(level.least() >= 0, "a coordinate may be below zero");
        // The padding of a structured level can be past the end of the dimension.
        let size = match const { E::SPEC.levels()[LEVEL].format } {
            LevelFormat::Structured { m, .. } => m,
            _ => level.size(),
        };
        assert!(vectors.iter().all(|vector| vector.len() >= size), "a vector is too short");
        Self { level, words: level.words(), values, vectors }
    }

    /// Reduces `term(value, [elements])` over the positions below position `above` of the level above, in four lanes.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline(always)]
    pub fn reduce_below<S: Copy>(
        &self,
        above: usize,
        identity: S,
        term: impl Fn(T, [V; N]) -> S,
        reduce: impl Fn(S, S) -> S,
    ) -> S {
        let positions = self.level.covered(above);
        prefetch_element(self.values, positions.start + AHEAD);
        self.level.ask(positions.start + AHEAD);
        // SAFETY: each position of a covered level has a value.
        unsafe { self.lanes(positions, 0, identity, term, reduce) }
    }

    /// Reduces `term(value, [elements])` over some positions of the level, in four lanes.
    ///
    /// # Panics
    /// If there are no such positions.
    #[inline(always)]
    pub fn reduce<S: Copy>(
        &self,
        positions: Range<usize>,
        identity: S,
        term: impl Fn(T, [V; N]) -> S,
        reduce: impl Fn(S, S) -> S,
    ) -> S {
        let Range { start, end } = positions;
        assert!(start <= end && end <= self.values.len(), "there are no such positions");
        // SAFETY: positions before `end` have values.
        unsafe { self.lanes(positions, 0, identity, term, reduce) }
    }

    /// [`Gather::reduce`] if `values` starts with the value of position `first`.
    ///
    /// # Safety
    /// The positions must be positions of the tensor that have values, and the range must not end before it starts.
    #[inline(always)]
    unsafe fn lanes<S: Copy>(
        &self,
        positions: Range<usize>,
        first: usize,
        identity: S,
        term: impl Fn(T, [V; N]) -> S,
        reduce: impl Fn(S, S) -> S,
    ) -> S {
        let Range { start, end } = positions;
        // SAFETY: the caller promises the positions.
        let at = |position| unsafe { self.term(position, first, &term) };
        let mut lanes = [identity; LANES];
        let mut position = start;
        if end - position >= GROUP {
            loop {
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    *sum = reduce(*sum, at(position + lane));
                }
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    *sum = reduce(*sum, at(position + LANES + lane));
                }
                position += GROUP;
                if end - position < GROUP {
                    break;
                }
                prefetch_element(self.values, position - first + AHEAD);
                self.level.ask(position + AHEAD);
            }
        }
        if end - position >= LANES {
            for (lane, sum) in lanes.iter_mut().enumerate() {
                *sum = reduce(*sum, at(position + lane));
            }
            position += LANES;
        }
        let left = end - position;
        if left >= 2 {
            lanes[0] = reduce(lanes[0], at(position));
            lanes[1] = reduce(lanes[1], at(position + 1));
        }
        // A branch: LLVM turns a selection into one too, and a mask was not faster for any length of rows.
        if left == 3 {
            lanes[2] = reduce(lanes[2], at(position + 2));
        }
        let all = reduce(reduce(lanes[0], lanes[2]), reduce(lanes[1], lanes[3]));
        if left == 1 { reduce(all, at(position)) } else { all }
    }

    /// The term at a position if `values` starts with the value of position `first`.
    ///
    /// # Safety
    /// The position must be one of the tensor, and have a value.
    #[inline(always)]
    unsafe fn term<S>(&self, position: usize, first: usize, term: impl Fn(T, [V; N]) -> S) -> S {
        let home = const { E::SPEC.home(LEVEL) };
        let at = position * home.stride + home.offset;
        let coordinate = match const { <E::Coordinate as Coordinate>::PER_WORD } {
            1 => {
                // SAFETY: each position of the tensor has a coordinate, one to a word.
                let word = unsafe { self.words.get_unchecked(at) };
                E::Coordinate::get(core::slice::from_ref(word), 0)
            }
            _ => E::Coordinate::get(self.words, at),
        } as usize;
        // SAFETY: the caller promises the position.
        let value = unsafe { *self.values.get_unchecked(position - first) };
        // SAFETY: every position of the level is below one of the level above, so its coordinate was checked to be one of the
        // level when the tensor was made, and the vectors have an element for each.
        term(value, self.vectors.map(|vector| unsafe { *vector.get_unchecked(coordinate) }))
    }
}

/// [`Gather`] for a tensor whose values exist for only one row at a time, as in a kernel of several statements that share a loop.
pub struct RowGather<'a, E: Encoding, T, V, const LEVEL: usize, const N: usize> {
    gather: Gather<'a, E, T, V, LEVEL, N>,
    first: usize,
}

impl<'a, E: Encoding, T: Copy, V: Copy, const LEVEL: usize, const N: usize>
    RowGather<'a, E, T, V, LEVEL, N>
{
    /// Gathers from vectors as [`Gather::new`] does. `values` are the values of the tensor, starting at position `first`.
    ///
    /// # Panics
    /// If a vector has too few elements.
    #[inline(always)]
    pub fn new<U>(
        tensor: &'a SparseTensor<E, U>,
        (first, values): (usize, &'a [T]),
        vectors: [&'a [V]; N],
    ) -> Self {
        Self { gather: Gather::with(tensor, values, vectors), first }
    }

    /// Reduces `term(value, [elements])` over some positions of the level, in four lanes.
    ///
    /// # Panics
    /// If there are no such positions, or if `values` does not contain their values.
    #[inline(always)]
    pub fn reduce<S: Copy>(
        &self,
        positions: Range<usize>,
        identity: S,
        term: impl Fn(T, [V; N]) -> S,
        reduce: impl Fn(S, S) -> S,
    ) -> S {
        let Range { start, end } = positions;
        let known = self.first <= start && start <= end && end <= self.gather.level.positions();
        assert!(known && end - self.first <= self.gather.values.len(), "there are no such values");
        // SAFETY: the positions are positions of the tensor that have values.
        unsafe { self.gather.lanes(positions, self.first, identity, term, reduce) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::formats::{Coo, Csc, Csr};
    use crate::sparse::types::{
        Dense, Dim, Floordiv, Level, LooseCompressed, Mod, Rank, Structured,
    };
    use crate::sparse::{Bits2, Encoded};
    use alloc::vec::Vec;

    /// Sums of products over rows of any length, compared with a plain loop.
    fn check<E: Encoding<Index = [usize; 2]>, const LEVEL: usize>(
        tensor: &SparseTensor<E, f64>,
        dim: usize,
        segments: usize,
    ) {
        let x: Vec<f64> = (0..tensor.shape()[dim]).map(|j| j as f64 + 0.5).collect();
        let (level, values) = (tensor.level::<LEVEL>(), tensor.values());
        let gather = Gather::<E, f64, f64, LEVEL, 1>::new(tensor, [&x]);
        for segment in 0..segments {
            let positions = level.below(segment);
            let sum = gather.reduce(positions.clone(), 0.0, |a, [x]| a * x, |a, b| a + b);
            let below = gather.reduce_below(segment, 0.0, |a, [x]| a * x, |a, b| a + b);
            assert_eq!(below, sum);
            let plain: f64 =
                level.entries(positions).map(|(position, j)| values[position] * x[j]).sum();
            assert_eq!(sum, plain);
        }
    }

    #[test]
    fn sums_are_those_of_a_plain_loop() {
        let mut dense = [0.0; 8 * 12];
        for i in 0..8 {
            for j in 0..(i * 12) / 7 {
                dense[i * 12 + j] = (1 + i * 5 + j) as f64;
            }
        }
        check::<Csr, 1>(&SparseTensor::from_dense([8, 12], &dense).unwrap(), 1, 8);
        check::<Csr<u32, u8>, 1>(&SparseTensor::from_dense([8, 12], &dense).unwrap(), 1, 8);
        check::<Csc, 1>(&SparseTensor::from_dense([8, 12], &dense).unwrap(), 0, 12);
        let coo = SparseTensor::<Coo, f64>::from_dense([8, 12], &dense).unwrap();
        let x = [1.0; 12];
        let gather = Gather::<Coo, f64, f64, 1, 1>::new(&coo, [&x]);
        let all = gather.reduce(0..coo.values().len(), 0.0, |a, [x]| a * x, |a, b| a + b);
        assert_eq!(all, dense.iter().sum::<f64>());
    }

    #[test]
    #[should_panic(expected = "a vector is too short")]
    fn a_vector_shorter_than_the_level_is_refused() {
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 3], &[0.0, 0.0, 1.0]).unwrap();
        let _ = Gather::<Csr, f64, f64, 1, 1>::new(&tensor, [&[1.0, 2.0]]);
    }

    #[test]
    #[should_panic(expected = "a vector is too short")]
    fn a_vector_shorter_than_the_padding_is_refused() {
        type TwoOfFour = Encoded<Rank<1>, (Level<Dim<0>, Structured<2, 4>>,)>;
        let tensor = SparseTensor::<TwoOfFour, f64>::from_dense([1], &[1.0]).unwrap();
        // The position that is padding belongs to an index that the array does not have.
        assert_eq!(tensor.coordinates(0), [0, 1]);
        let _ = Gather::<TwoOfFour, f64, f64, 0, 1>::new(&tensor, [&[1.0]]);
    }

    #[test]
    #[should_panic(expected = "there are no such positions")]
    fn positions_that_are_not_there_are_refused() {
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 3], &[0.0, 0.0, 1.0]).unwrap();
        let gather = Gather::<Csr, f64, f64, 1, 0>::new(&tensor, []);
        gather.reduce(0..2, 0.0, |a, []| a, |a, b| a + b);
    }

    #[test]
    #[should_panic(expected = "there is no such position")]
    fn a_segment_that_is_not_there_is_refused() {
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 3], &[0.0, 0.0, 1.0]).unwrap();
        let gather = Gather::<Csr, f64, f64, 1, 0>::new(&tensor, []);
        gather.reduce_below(1, 0.0, |a, []| a, |a, b| a + b);
    }

    #[test]
    fn a_row_is_gathered_from_its_own_values() {
        let tensor =
            SparseTensor::<Csr, bool>::from_dense([2, 3], &[true, false, true, true, true, true]);
        let tensor = tensor.unwrap();
        let gather = RowGather::<Csr, f64, f64, 1, 1>::new(
            &tensor,
            (2, &[1.0, 2.0, 3.0]),
            [&[1.0, 10.0, 100.0]],
        );
        assert_eq!(gather.reduce(2..5, 0.0, |a, [x]| a * x, |a, b| a + b), 321.0);
        assert_eq!(gather.reduce(3..4, 0.0, |a, [x]| a * x, |a, b| a + b), 20.0);
    }

    #[test]
    #[should_panic(expected = "there are no such values")]
    fn a_row_whose_values_are_not_there_is_refused() {
        let tensor = SparseTensor::<Csr, bool>::from_dense([2, 2], &[true; 4]).unwrap();
        let gather = RowGather::<Csr, f64, f64, 1, 0>::new(&tensor, (2, &[1.0, 2.0]), []);
        gather.reduce(0..2, 0.0, |a, []| a, |a, b| a + b);
    }

    #[test]
    #[should_panic(expected = "there are no such values")]
    fn a_row_that_is_not_there_is_refused() {
        let tensor = SparseTensor::<Csr, bool>::from_dense([2, 2], &[true; 4]).unwrap();
        let gather = RowGather::<Csr, f64, f64, 1, 0>::new(&tensor, (2, &[1.0; 4]), []);
        gather.reduce(2..5, 0.0, |a, []| a, |a, b| a + b);
    }

    #[test]
    fn coordinates_of_two_bits_are_gathered() {
        type Nv = Encoded<
            Rank<2>,
            (
                Level<Dim<0>, Dense>,
                Level<Floordiv<Dim<1>, 4>, Dense>,
                Level<Mod<Dim<1>, 4>, Structured<2, 4>>,
            ),
            usize,
            Bits2,
        >;
        let tensor = SparseTensor::<Nv, f64>::from_dense([1, 4], &[0.0, 5.0, 0.0, 7.0]).unwrap();
        let gather = Gather::<Nv, f64, f64, 2, 1>::new(&tensor, [&[1.0, 2.0, 3.0, 4.0]]);
        assert_eq!(gather.reduce(0..2, 0.0, |a, [x]| a * x, |a, b| a + b), 38.0);
        assert_eq!(gather.reduce_below(0, 0.0, |a, [x]| a * x, |a, b| a + b), 38.0);
    }

    #[test]
    fn intervals_are_not_covered() {
        type Loose = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, LooseCompressed>)>;
        const { assert!(!LevelRef::<Loose, 1>::COVERED && LevelRef::<Csr, 1>::COVERED) }
    }
}
