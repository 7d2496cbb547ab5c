//! Products of `bf16` whose sums are `f32`, on CPUs that multiply pairs of `bf16` fast.
//!
//! One instruction adds the products of two pairs to a sum. A panel therefore has the pairs of two rows of the dense matrix, side
//! by side: for blocks, the pairs for every two columns; for two of four columns, the pairs for every two columns that may be
//! stored.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::structured::{GROUPS, GroupCoordinates, Method, Strip, Structured, Sums};
use super::{Row, Write, blocks, for_rows};
use crate::cpu::detect::{HasAvx512Bf16, HasAvx512F};
use crate::cpu::{Work, pairs_are_fast, prefetch_element};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;

/// The number of lanes of a vector.
const VECTOR: usize = 16;
/// The largest number of vectors of a row of sums.
const VECTORS: usize = 4;

/// The proof that the CPU has the instruction, and that it is fast.
#[derive(Clone, Copy)]
pub(super) struct Pairs(#[allow(dead_code, reason = "a proof")] HasAvx512Bf16);

impl Pairs {
    /// The proof, with that of vectors, if the CPU has both.
    pub(super) fn detect() -> Option<(HasAvx512F, Self)> {
        let has = HasAvx512Bf16::detect().filter(|_| pairs_are_fast())?;
        Some((HasAvx512F::detect()?, Self(has)))
    }
}

/// `GROUP` rows of `LANES` sums of a matrix of blocks.
#[derive(Clone, Copy)]
pub(super) struct InBlocks<const GROUP: usize, const LANES: usize>(pub(super) Pairs);

impl<const ROWS: usize, const COLUMNS: usize, const GROUP: usize, const LANES: usize>
    blocks::Method<bf16, bf16, f32, ROWS, COLUMNS> for InBlocks<GROUP, LANES>
{
    type Row = Row<u32, LANES>;
    type Value = bf16;
    const DEPTH: usize = 2;
    const LANES: usize = LANES;
    const GROUP: usize = GROUP;

    #[inline(always)]
    fn row(from: &[bf16], columns: usize) -> Self::Row {
        side_by_side(&from[..LANES], &from[columns..][..LANES])
    }

    #[inline(always)]
    fn in_place(values: &[bf16]) -> Option<&[bf16]> {
        Some(values)
    }

    #[inline(always)]
    fn value(of: bf16) -> bf16 {
        of
    }

    #[inline(always)]
    fn multiply(
        self,
        group: &blocks::Group<'_, bf16>,
        panel: &[Self::Row],
        c: &mut [f32],
        columns: usize,
    ) {
        // SAFETY: the value proves the instructions.
        unsafe { multiply_group::<ROWS, COLUMNS, GROUP, LANES>(group, panel, c, columns) }
    }
}

/// Pairs of the elements of two rows. Lanes without elements become zero.
#[inline(always)]
pub(super) fn side_by_side<const LANES: usize>(a: &[bf16], b: &[bf16]) -> Row<u32, LANES> {
    let mut to = [0; LANES];
    if let (Some(a), Some(b)) = (a.first_chunk::<LANES>(), b.first_chunk::<LANES>()) {
        for lane in 0..LANES {
            to[lane] = pair([a[lane], b[lane]]);
        }
    } else {
        to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (a, b))| *to = pair([*a, *b]));
    }
    Row(to)
}

/// Two elements in the form that the instruction needs.
#[inline(always)]
fn pair([first, second]: [bf16; 2]) -> u32 {
    u32::from(first.to_bits()) | u32::from(second.to_bits()) << 16
}

/// Adds the products of a pair and the pairs of a row.
///
/// # Safety
/// The CPU must have AVX-512 F and its dot products of `bf16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn add<const LANES: usize>(
    sums: &mut [__m512; VECTORS],
    factor: [bf16; 2],
    row: [__m512i; VECTORS],
) {
    let factor = _mm512_set1_epi32(pair(factor).cast_signed());
    for vector in 0..LANES / VECTOR {
        // SAFETY: the vectors have the same number of bits.
        let [factor, row] =
            [factor, row[vector]].map(|words| unsafe { transmute::<__m512i, __m512bh>(words) });
        sums[vector] = _mm512_dpbf16_ps(sums[vector], factor, row);
    }
}

/// The vectors of a row.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load<const LANES: usize>(Row(row): &Row<u32, LANES>) -> [__m512i; VECTORS] {
    let mut vectors = [_mm512_setzero_si512(); VECTORS];
    for (vector, words) in vectors.iter_mut().zip(row.as_chunks::<VECTOR>().0) {
        // SAFETY: the array has the words of a vector.
        *vector = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    }
    vectors
}

/// The vectors of a row of sums.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load_sums<const LANES: usize>(sums: &[f32]) -> [__m512; VECTORS] {
    let mut vectors = [_mm512_setzero_ps(); VECTORS];
    for (vector, sums) in vectors.iter_mut().zip(sums[..LANES].as_chunks::<VECTOR>().0) {
        // SAFETY: the array has the lanes of a vector.
        *vector = unsafe { _mm512_loadu_ps(sums.as_ptr()) };
    }
    vectors
}

/// # Safety
/// The CPU must have AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn store_sums<const LANES: usize>(vectors: [__m512; VECTORS], sums: &mut [f32]) {
    for (sums, vector) in sums[..LANES].as_chunks_mut::<VECTOR>().0.iter_mut().zip(vectors) {
        // SAFETY: the array has the lanes of a vector.
        unsafe { _mm512_storeu_ps(sums.as_mut_ptr(), vector) };
    }
}

/// Writes the sums of a group of rows: [`blocks::Method::multiply`].
///
/// # Safety
/// The CPU must have AVX-512 F and its dot products of `bf16`.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn multiply_group<
    const ROWS: usize,
    const COLUMNS: usize,
    const GROUP: usize,
    const LANES: usize,
>(
    group: &blocks::Group<'_, bf16>,
    panel: &[Row<u32, LANES>],
    c: &mut [f32],
    columns: usize,
) {
    const { assert!(LANES.is_multiple_of(VECTOR) && LANES <= VECTORS * VECTOR) }
    let mut all = [[_mm512_setzero_ps(); VECTORS]; GROUP];
    for (block, start) in group.starts.iter().enumerate() {
        let panel = &panel[*start..][..COLUMNS / 2];
        let first = block * ROWS * COLUMNS;
        let values = group.values[first..][..GROUP * COLUMNS].as_chunks::<2>().0;
        // The same rows of the next block.
        for at in (0..GROUP * COLUMNS).step_by(64 / size_of::<bf16>()) {
            prefetch_element(group.values, first + ROWS * COLUMNS + at);
        }
        for (j, row) in panel.iter().enumerate() {
            // SAFETY: the caller promises the instructions. Each of the rows has as many pairs as the panel has rows.
            unsafe {
                let row = load(row);
                for_rows!(GROUP, |number| {
                    let pair = *values.get_unchecked(number * (COLUMNS / 2) + j);
                    add::<LANES>(&mut all[number], pair, row);
                });
            }
        }
    }
    for (row, all) in all.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { store_sums::<LANES>(all, &mut c[row * columns..][..LANES]) };
    }
}

/// The number of columns that are stored, and of the columns of a group.
const STORED: usize = 2;
const OF: usize = 4;
/// The pairs of columns of which both may be stored: 0 and 1, 0 and 2, 0 and 3, 1 and 2, 1 and 3, 2 and 3.
const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// The number of rows of a panel for a group. The last two are not used, so that a number of three bits needs no check.
const PAIR_ROWS: usize = 8;
/// The number of rows that are multiplied together, and of the lanes of each.
const GROUP: usize = 4;
const LANES: usize = 64;

impl<E: Encoding> Work for Write<'_, Structured<'_, E, bf16, bf16, STORED, OF>, Pairs, f32> {
    type Output = Result<(), KernelError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.product.write(self.method, self.c)
    }
}

impl Method<bf16, bf16, f32, STORED, OF, GROUP, LANES> for Pairs {
    type Value = bf16;
    type Rows = [Row<u32, LANES>; PAIR_ROWS];
    const NO_VALUE: bf16 = bf16::ZERO;
    const NO_ROWS: Self::Rows = [Row([0; LANES]); PAIR_ROWS];
    // The pairs of 16 groups take 24 KiB.
    const CHUNK: usize = GROUPS / 2;

    #[inline(always)]
    fn values(values: [bf16; STORED]) -> [bf16; STORED] {
        values
    }

    /// The number of the pair of columns.
    #[inline(always)]
    fn stored([first, second]: [u8; STORED]) -> [u8; STORED] {
        [(first + second).saturating_sub(u8::from(first == 0)), 0]
    }

    #[inline(always)]
    fn fill(rows: &mut Self::Rows, from: [&[bf16]; OF]) {
        for (row, [first, second]) in rows.iter_mut().zip(PAIRS) {
            *row = side_by_side(from[first], from[second]);
        }
    }

    #[inline(always)]
    fn multiply(
        self,
        strip: &Strip<bf16, STORED, GROUP>,
        panel: &[Self::Rows],
        sums: Sums<'_, f32>,
        first: bool,
    ) {
        // SAFETY: the value proves the instructions.
        unsafe { two_of_four(strip, panel, sums, first) }
    }
}

/// # Safety
/// The CPU must have AVX-512 F and its dot products of `bf16`.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn two_of_four(
    strip: &Strip<bf16, STORED, GROUP>,
    panel: &[[Row<u32, LANES>; PAIR_ROWS]],
    sums: Sums<'_, f32>,
    first: bool,
) {
    let Sums { pitch, elements } = sums;
    let mut all = [[_mm512_setzero_ps(); VECTORS]; GROUP];
    // SAFETY: the caller promises the instructions.
    unsafe {
        if !first {
            for_rows!(GROUP, |row| all[row] = load_sums::<LANES>(&elements[row * pitch..]));
        }
        let stored = strip.values.iter().zip(&strip.coordinates);
        for (rows, (values, coordinates)) in panel.iter().zip(stored) {
            let coordinates = GroupCoordinates::of(coordinates);
            for_rows!(GROUP, |row| {
                let pair = coordinates.get::<PAIR_ROWS>(row, 0);
                add::<LANES>(&mut all[row], values[row], load(&rows[pair]));
            });
        }
        for_rows!(GROUP, |row| store_sums::<LANES>(all[row], &mut elements[row * pitch..]));
    }
}
