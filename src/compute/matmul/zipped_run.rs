//! The micro-kernel of products of one row, with `B` as rows of narrow elements: words are put together in registers.
//!
//! In `bf16[1,4096] * bf16[4096,4096]`, a block has 16 rows and 32 columns of `B`, so 16 cache lines. Each two rows are zipped:
//! the low halves of all lanes of 16 bytes become one vector of words, the high halves another, and each is multiplied by one
//! word of `A`. The first vector then has the columns 0 to 3, 8 to 11, 16 to 19 and 24 to 27, and the second those between
//! them. The sums stay in this order until all rows are added.
//!
//! Elements of 4 bits are first zipped within bytes, which contain neighbours of a row: the even columns of two rows become a vector of
//! bytes, and the odd columns another.
//!
//! Few rows at a time, over all columns, are as many streams as the CPU prefetches on its own. Their lines are in the same set
//! of the L1 cache if the length of a row is a power of two, so that many more rows would evict each other.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]
#![cfg_attr(
    not(any(test, all(target_arch = "x86_64", feature = "std"))),
    expect(dead_code, reason = "only x86-64 has kernels that zip")
)]

use super::grid::{NIBBLES, Word};
use super::lanes::{ByteTable, Dot, LINE_WORDS};
use crate::cpu::{prefetch, prefetch_behind};
use layout_core::dtype::DType;

/// The words of a lane within which vectors are zipped.
const LANE_WORDS: usize = 4;

/// The rows of elements of a type that are read at a time. Measured on Zen 5, with rows of 4096 elements: of `bf16`, 16 rows take 0.8
/// to 0.9 of the time of 8, and 4 or 32 rows at least as long as 8; of `s8` and `f16`, 16 rows take longer than 8.
pub(super) fn rows(stored: DType) -> usize {
    if stored == DType::BF16 { MAX_ROWS } else { FEW_ROWS }
}

const FEW_ROWS: usize = 8;
/// The most rows.
pub(super) const MAX_ROWS: usize = 16;

/// The most words of `A` for these rows: two parts of pairs.
const FACTORS: usize = MAX_ROWS;

/// The most elements of a word of bytes.
const MAX_BYTES: usize = 4;

/// The distance at which eight rows are prefetched into the L1 cache: four blocks. Measured on Zen 5, where one row of `s8` then takes
/// 0.9 of the time, but 16 rows of `bf16` longer.
const BYTES_AHEAD: usize = 256;

/// Vectors whose elements can be zipped.
pub(super) trait Zip: Dot {
    /// In each lane of 16 bytes, the elements of `SIZE` bytes of the low halves of both vectors in turn, and those of the high
    /// halves: `a0 b0 a1 b1 ..`.
    fn zip<const SIZE: usize>(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];
    /// In each byte, the low four bits of the bytes of both vectors, and the high four bits of both, with those of `a` first.
    fn zip_nibbles(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];
}

/// The product of one row of `A` and some rows of `B`.
pub(super) struct ZippedRun<'a> {
    /// For each part and each row of words of `B`, the words of the row of `A`.
    pub(super) a: &'a [u32],
    /// The bytes of `B`.
    pub(super) b: &'a [u8],
    /// The byte at which each row of elements starts.
    pub(super) rows_at: &'a [usize],
    /// The byte at which each row of the next run starts, to be prefetched.
    pub(super) next: &'a [usize],
    /// The number of rows that are read at a time.
    pub(super) most: usize,
    /// The number of columns.
    pub(super) columns: usize,
    /// Whether the sums are added to the values of `c` instead of zero.
    pub(super) adds: bool,
    /// The table of the kernel.
    #[cfg_attr(
        not(all(target_arch = "x86_64", feature = "std")),
        expect(dead_code, reason = "only AVX-512 looks up bytes")
    )]
    pub(super) table: &'a ByteTable,
    /// The sums, in whole blocks, in the order of the vectors.
    pub(super) c: &'a mut [Word],
}

/// A function that computes a run, for CPUs that have its instructions.
pub(super) type ZippedFn = unsafe fn(&mut ZippedRun<'_>);

/// Computes a run of elements of which a word has `P`.
///
/// # Panics
/// If a slice of the run is too short, or if there are more rows than are read at a time.
#[inline(always)]
pub(super) fn multiply_zipped<S: Zip, const P: usize>(simd: S, run: &mut ZippedRun<'_>) {
    if const { P == 2 } && run.most == MAX_ROWS {
        multiply_rows::<S, P, MAX_ROWS>(simd, run);
    } else {
        multiply_rows::<S, P, FEW_ROWS>(simd, run);
    }
}

/// [`multiply_zipped`] of at most `ROWS` rows.
#[inline(always)]
fn multiply_rows<S: Zip, const P: usize, const ROWS: usize>(simd: S, run: &mut ZippedRun<'_>) {
    const { assert!(S::FACTOR_WORDS == 1 && S::LANES <= LINE_WORDS) }
    const { assert!(ROWS <= MAX_ROWS && S::PARTS * ROWS / P <= FACTORS) }
    let (wide, bytes) = (P * S::LANES, 4 * S::LANES);
    let (rows, b, adds) = (run.rows_at, run.b, run.adds);
    let length = (run.columns * 4).div_ceil(P);
    let groups = rows.len().div_ceil(P);
    assert!(run.a.len() == groups * S::PARTS && rows.len() <= ROWS);
    assert!(run.c.len() == run.columns.next_multiple_of(wide));
    assert!(rows.iter().all(|&at| at <= b.len() && length <= b.len() - at));
    let mut a = [0; FACTORS];
    for part in 0..S::PARTS {
        for group in 0..groups {
            a[part * (ROWS / P) + group] = run.a[part * groups + group];
        }
    }
    // The vectors of a block that are not whole, and rows that `B` does not have, whose elements are zero.
    let mut lines = [[Word::default(); LINE_WORDS]; ROWS];
    let lines_at: [usize; ROWS] = core::array::from_fn(|row| row * 4 * LINE_WORDS);
    let whole = if rows.len() == ROWS { length / bytes } else { 0 };
    let (full, rest) = run.c.split_at_mut(whole * wide);
    // A loop of its own: the copies of the other are calls, across which no register keeps its value.
    if let Some(rows) = rows.as_array::<ROWS>() {
        for (block, c) in full.chunks_exact_mut(wide).enumerate() {
            let b = b.as_ptr().wrapping_add(block * bytes);
            if const { ROWS == FEW_ROWS } {
                // The CPU does not find all of these streams in time, and none of the next rows.
                for at in rows {
                    prefetch(b.wrapping_add(at + BYTES_AHEAD));
                }
                for at in run.next {
                    prefetch_behind(b.wrapping_add(*at));
                }
            }
            // SAFETY: each row has `length` bytes from its start, as asserted, and so this whole vector.
            unsafe { multiply_block::<S, P, ROWS>(simd, &a, b, rows, adds, c) };
        }
    }
    for (block, c) in (whole..).zip(rest.chunks_exact_mut(wide)) {
        let first = block * bytes;
        for (line, row) in lines.iter_mut().zip(rows) {
            let from = &b[row + first..][..bytes.min(length - first)];
            line.as_flattened_mut()[..from.len()].copy_from_slice(from);
        }
        // SAFETY: a vector has at most as many words as a line, as asserted.
        unsafe {
            multiply_block::<S, P, ROWS>(simd, &a, lines.as_ptr().cast(), &lines_at, adds, c)
        };
    }
}

/// Computes one block of rows whose bytes are at some distances from `b`. Each row is loaded by an instruction of its own, so
/// that the CPU recognizes each stream.
///
/// # Safety
/// A vector must be readable at each of these distances.
#[inline(always)]
unsafe fn multiply_block<S: Zip, const P: usize, const ROWS: usize>(
    simd: S,
    a: &[u32; FACTORS],
    b: *const u8,
    rows_at: &[usize; ROWS],
    adds: bool,
    c: &mut [Word],
) {
    assert!(c.len() == P * S::LANES);
    let (groups, sums_at) = (ROWS / P, c.as_mut_ptr());
    let mut sums = [simd.splat(0); P];
    if adds {
        for (j, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `c` has `P` vectors, as asserted.
            *sums = unsafe { simd.load(sums_at.add(j * S::LANES)) };
        }
    }
    for group in 0..groups {
        let mut rows = [simd.splat(0); P];
        for (i, row) in rows.iter_mut().enumerate() {
            // SAFETY: the caller promises the vector.
            *row = unsafe { simd.load(b.add(rows_at[group * P + i]).cast()) };
        }
        let words = words_of_rows(simd, rows);
        for part in 0..S::PARTS {
            let a = simd.splat(a[part * groups + group]);
            for (sums, words) in sums.iter_mut().zip(words) {
                *sums = simd.dot(*sums, a, simd.part(words, part));
            }
        }
    }
    for (j, sums) in sums.into_iter().enumerate() {
        // SAFETY: as for the load.
        unsafe { simd.store(sums, sums_at.add(j * S::LANES)) };
    }
}

/// `P` vectors of words, each with an element of every row: in each lane of 16 bytes, first four columns, then the next four. Of
/// elements of 4 bits, first all even columns in this order, then all odd columns.
#[inline(always)]
fn words_of_rows<S: Zip, const P: usize>(simd: S, rows: [S::Vector; P]) -> [S::Vector; P] {
    let mut words = rows;
    match P {
        2 => [words[0], words[1]] = simd.zip::<2>(rows[0], rows[1]),
        4 => {
            words[..4].copy_from_slice(&words_of_bytes(simd, [rows[0], rows[1], rows[2], rows[3]]))
        }
        _ => {
            let [a, b] = [simd.zip_nibbles(rows[0], rows[1]), simd.zip_nibbles(rows[2], rows[3])];
            let [c, d] = [simd.zip_nibbles(rows[4], rows[5]), simd.zip_nibbles(rows[6], rows[7])];
            words[..4].copy_from_slice(&words_of_bytes(simd, [a[0], b[0], c[0], d[0]]));
            words[4..].copy_from_slice(&words_of_bytes(simd, [a[1], b[1], c[1], d[1]]));
        }
    }
    words
}

/// [`words_of_rows`] of bytes.
#[inline(always)]
fn words_of_bytes<S: Zip>(simd: S, rows: [S::Vector; MAX_BYTES]) -> [S::Vector; MAX_BYTES] {
    let (first, second) = (simd.zip::<1>(rows[0], rows[1]), simd.zip::<1>(rows[2], rows[3]));
    let (low, high) = (simd.zip::<2>(first[0], second[0]), simd.zip::<2>(first[1], second[1]));
    [low[0], low[1], high[0], high[1]]
}

/// Brings sums from the order of the vectors of blocks of `wide` columns into the order of the columns, for words of
/// `elements` elements.
pub(super) fn order_columns(sums: &mut [Word], wide: usize, elements: usize) {
    let bytes = elements.min(MAX_BYTES);
    let (half, apart) = (wide * bytes / elements, elements / bytes);
    let lanes = half / bytes / LANE_WORDS;
    let mut old = [[Word::default(); LANE_WORDS]; NIBBLES * LINE_WORDS / LANE_WORDS];
    for block in sums.chunks_exact_mut(wide) {
        let quads = block.as_chunks::<LANE_WORDS>().0;
        old[..quads.len()].copy_from_slice(quads);
        for (i, quad) in old[..quads.len()].iter().enumerate() {
            // The even columns, then the odd columns, if there are two in a byte.
            let (odd, i) = (i * LANE_WORDS / half, i % (half / LANE_WORDS));
            let first = (i % lanes * bytes + i / lanes) * LANE_WORDS;
            for (column, sum) in (first..).zip(quad) {
                block[column * apart + odd] = *sum;
            }
        }
    }
}
