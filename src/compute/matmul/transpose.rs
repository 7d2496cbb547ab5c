//! Copies rows of words to panels, 8 words of each row at a time, with AVX2.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::grid::Word;
use super::panels;
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
    let rest: [&[Word]; ROWS] = core::array::from_fn(|i| &rows[i][done..count]);
    panels::transpose(&rest, &mut to[done * ROWS..]);
}

/// The first words of all vectors, then the second words of all, and so on.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(rows: [__m256i; LANES]) -> [__m256i; LANES] {
    let [a, b, c, d, e, f, g, h] = rows;
    // First pairs of rows, then groups of four, each in halves of the vectors; then the halves.
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
