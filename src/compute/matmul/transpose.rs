//! Copies rows of words to panels: 8 words of each row at a time with AVX2, 16 words with AVX-512.
//!
//! Six rows `a` to `f` become `a0 b0 c0 d0 e0 f0 a1 b1 ..`. A vector of 8 words, `a0 .. f0` and two zeros, is stored at every
//! sixth word, and the next one, `a1 .. f1`, overwrites the zeros.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::grid::Word;
use super::panels;
use crate::cpu::array;
use core::arch::x86_64::*;

/// The number of words in a vector.
const LANES: usize = 8;

/// [`panels::transpose`] for a constant number of rows.
///
/// # Panics
/// If there are not `ROWS` rows, if one is too short, or if `to` does not end with a word of the last row.
#[target_feature(enable = "avx2")]
pub(super) fn transpose<const ROWS: usize>(rows: &[&[Word]], to: &mut [u32]) {
    const { assert!(ROWS <= LANES) }
    let count = to.len() / ROWS;
    assert!(to.len() == count * ROWS && rows.len() == ROWS);
    assert!(rows.iter().all(|row| row.len() >= count));
    let mut done = 0;
    // Vectors are stored whole; the next vector overwrites the excess words of the one before.
    while (done + LANES - 1) * ROWS + LANES <= to.len() {
        let mut block = [_mm256_setzero_si256(); LANES];
        for (vector, row) in block.iter_mut().zip(rows) {
            // SAFETY: `done + LANES` is at most `count`, and each row has at least `count` words.
            *vector = unsafe { _mm256_loadu_si256(row.as_ptr().add(done).cast()) };
        }
        for (i, vector) in transposed(block).into_iter().enumerate() {
            // SAFETY: the last vector ends in `to`, as the loop checked.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().add((done + i) * ROWS).cast(), vector) };
        }
        done += LANES;
    }
    let rest: [&[Word]; ROWS] = array(|i: usize| &rows[i][done..count]);
    panels::transpose(&rest, &mut to[done * ROWS..]);
}

/// The first words of all vectors, then the second words of all, and so on.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(rows: [__m256i; LANES]) -> [__m256i; LANES] {
    let [a, b, c, d, e, f, g, h] = rows;
    // First pairs of rows, then groups of four, each in halves of the vectors; then the halves. Of the first pair,
    // `a0 b0 a1 b1 | a4 b4 a5 b5`; with the second pair, `a0 b0 c0 d0 | a4 b4 c4 d4`; at the end, `a0 .. h0`.
    let pairs = [(a, b), (c, d), (e, f), (g, h)]
        .map(|(a, b)| [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)]);
    let fours = |low: [__m256i; 2], high: [__m256i; 2]| {
        [
            _mm256_unpacklo_epi64(low[0], high[0]),
            _mm256_unpackhi_epi64(low[0], high[0]),
            _mm256_unpacklo_epi64(low[1], high[1]),
            _mm256_unpackhi_epi64(low[1], high[1]),
        ]
    };
    let (low, high) = (fours(pairs[0], pairs[1]), fours(pairs[2], pairs[3]));
    core::array::from_fn(|i| match i {
        ..4 => _mm256_permute2x128_si256::<0x20>(low[i], high[i]),
        _ => _mm256_permute2x128_si256::<0x31>(low[i - 4], high[i - 4]),
    })
}

/// The rows that the functions of AVX-512 copy.
const WIDE_ROWS: usize = super::avx512::ROWS;

/// [`panels::transpose`] for 8 rows.
///
/// # Panics
/// If there are not 8 rows, if one is too short, or if `to` does not end with a word of the last row.
#[target_feature(enable = "avx512f")]
pub(super) fn words(rows: &[&[Word]], to: &mut [u32]) {
    let done = whole_vectors::<1>(rows, to);
    let count = to.len() / WIDE_ROWS;
    let rest: [&[Word]; WIDE_ROWS] = array(|i: usize| &rows[i][done..count]);
    panels::transpose(&rest, &mut to[done * WIDE_ROWS..]);
}

/// [`panels::transpose_doubles`] for 8 rows.
///
/// # Panics
/// As for [`words`], and if a row ends within an element.
#[target_feature(enable = "avx512f")]
pub(super) fn doubles(rows: &[&[Word]], to: &mut [u32]) {
    let done = whole_vectors::<2>(rows, to);
    let count = to.len() / WIDE_ROWS;
    assert!(count.is_multiple_of(2));
    let rest: [&[Word]; WIDE_ROWS] = array(|i: usize| &rows[i][done..count]);
    panels::transpose_doubles(&rest, &mut to[done * WIDE_ROWS..]);
}

/// Copies as many whole vectors of 8 rows as there are, with elements of `WORDS` words. Returns the number of words of each row.
///
/// # Panics
/// If there are not 8 rows, if one is too short, or if `to` does not end with a word of the last row.
#[inline]
#[target_feature(enable = "avx512f")]
fn whole_vectors<const WORDS: usize>(rows: &[&[Word]], to: &mut [u32]) -> usize {
    const LANES: usize = 16;
    let count = to.len() / WIDE_ROWS;
    assert!(to.len() == count * WIDE_ROWS && rows.len() == WIDE_ROWS);
    assert!(rows.iter().all(|row| row.len() >= count));
    let (blocks, _) = to.as_chunks_mut::<{ LANES * WIDE_ROWS }>();
    for (i, block) in blocks.iter_mut().enumerate() {
        let mut vectors = [_mm512_setzero_si512(); WIDE_ROWS];
        for (vector, row) in vectors.iter_mut().zip(rows) {
            // SAFETY: `16 * (i + 1)` is at most `count`, and each row has at least `count` words.
            *vector = unsafe { _mm512_loadu_si512(row.as_ptr().add(i * LANES).cast()) };
        }
        let columns = if const { WORDS == 1 } {
            columns_of_words(vectors)
        } else {
            columns_of_doubles(vectors)
        };
        for (to, column) in block.as_chunks_mut::<LANES>().0.iter_mut().zip(columns) {
            // SAFETY: a chunk has the words of a vector.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), column) };
        }
    }
    blocks.len() * LANES
}

/// Two columns of eight words in each vector, in order.
#[inline]
#[target_feature(enable = "avx512f")]
fn columns_of_words(rows: [__m512i; WIDE_ROWS]) -> [__m512i; WIDE_ROWS] {
    let [a, b, c, d, e, f, g, h] = rows;
    let pairs = [(a, b), (c, d), (e, f), (g, h)]
        .map(|(a, b)| [_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)]);
    // Vector `i`, lane `l`: column `4 l + i` of four rows.
    let fours = |low: [__m512i; 2], high: [__m512i; 2]| {
        [
            _mm512_unpacklo_epi64(low[0], high[0]),
            _mm512_unpackhi_epi64(low[0], high[0]),
            _mm512_unpacklo_epi64(low[1], high[1]),
            _mm512_unpackhi_epi64(low[1], high[1]),
        ]
    };
    let (low, high) = (fours(pairs[0], pairs[1]), fours(pairs[2], pairs[3]));
    let even = lanes_transposed([low[0], high[0], low[1], high[1]]);
    let odd = lanes_transposed([low[2], high[2], low[3], high[3]]);
    core::array::from_fn(|i| if i % 2 == 0 { even[i / 2] } else { odd[i / 2] })
}

/// A column of eight doubles in each vector, in order.
#[inline]
#[target_feature(enable = "avx512f")]
fn columns_of_doubles(rows: [__m512i; WIDE_ROWS]) -> [__m512i; WIDE_ROWS] {
    let [a, b, c, d, e, f, g, h] = rows;
    let pairs = [(a, b), (c, d), (e, f), (g, h)];
    let even = lanes_transposed(pairs.map(|(a, b)| _mm512_unpacklo_epi64(a, b)));
    let odd = lanes_transposed(pairs.map(|(a, b)| _mm512_unpackhi_epi64(a, b)));
    core::array::from_fn(|i| if i % 2 == 0 { even[i / 2] } else { odd[i / 2] })
}

/// The first lanes of 128 bits of all vectors, then the second lanes of all, and so on.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes_transposed([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let low = [_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d)];
    let high = [_mm512_shuffle_i64x2::<0xEE>(a, b), _mm512_shuffle_i64x2::<0xEE>(c, d)];
    [
        _mm512_shuffle_i64x2::<0x88>(low[0], low[1]),
        _mm512_shuffle_i64x2::<0xDD>(low[0], low[1]),
        _mm512_shuffle_i64x2::<0x88>(high[0], high[1]),
        _mm512_shuffle_i64x2::<0xDD>(high[0], high[1]),
    ]
}
