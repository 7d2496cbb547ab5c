//! Products of two of four `bf16`, whose sums are `f32`, with the tile registers of AMX: rows are expanded, so that each group of
//! columns has four elements of which two are zero. Tiles multiply as many elements in a step as vectors multiply in sixteen.
//!
//! For 32 elements, 16 coordinates in 16 bytes are repeated so that each element of two bytes has those of its group. A group that stores
//! columns 1 and 3 has the bytes `1 3`; its four elements have `1 3` each, of which one equals the element's own number for elements 1
//! and 3. These are the mask by which 16 values are expanded.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::kept::Panels;
use super::pairs::side_by_side;
use super::structured::Structured;
use super::tiles::{LANES, Loop, Numbers, TALL, Tiles};
use super::{Row, Write};
use crate::cpu::detect::{HasAvx512F, HasAvx512Spread};
use crate::cpu::tile_registers::ROWS;
use crate::cpu::{Work, run_wide};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use crate::sparse::two_of_four::are_finite;
use core::arch::x86_64::*;
use half::bf16;

/// The number of columns of a chunk, whose expanded rows stay in the caches.
const CHUNK: usize = 512;
/// The number of columns of a group, and of those that are stored.
const OF: usize = 4;
const STORED: usize = 2;
/// The number of panels that are filled at once.
const PANELS: usize = 8;
/// The number of elements that are expanded at once.
const STEP: usize = 32;
/// The number of values of which these consist.
const VALUES: usize = STEP / OF * STORED;
/// The number of elements from one expanded row to the next: one line more than a chunk, so that rows are in different sets of a cache.
const PITCH: usize = CHUNK + STEP;

/// The numbers of the loop: each step is a block of its own.
struct Steps;

impl Numbers for Steps {
    const STEPS: usize = 1;
    const PAIRS: usize = STEP / 2;
    const PITCH: usize = PITCH * size_of::<bf16>();
    const BLOCK: usize = STEP * size_of::<bf16>();
}

/// Expanded rows.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rows([[bf16; PITCH]; TALL]);

/// Writes the product to `c`. `None` if the CPU does not have the instructions, or if the dense matrix has an infinity or a NaN: the zeros
/// of expanded rows would make it a NaN in the sums of rows that do not store its column.
pub(super) fn two_of_four<E: Encoding>(
    product: &Structured<'_, E, bf16, bf16, STORED, OF>,
    c: &mut [f32],
) -> Option<Result<(), KernelError>> {
    let (has, spread) = (HasAvx512F::detect()?, HasAvx512Spread::detect()?);
    if !are_finite(product.b) {
        return None;
    }
    let tiles = Tiles::of(ROWS, STEP / 2)?;
    Some(run_wide(has, Write { product, method: Expanded { tiles: &tiles, spread }, c }))
}

/// The proof of the instructions, and configured registers.
#[derive(Clone, Copy)]
struct Expanded<'a> {
    tiles: &'a Tiles,
    spread: HasAvx512Spread,
}

/// A part of the product: some columns of the sparse matrix by some columns of the dense one.
#[derive(Clone, Copy)]
struct Part {
    /// The first group of columns, and the number of groups.
    group: usize,
    groups: usize,
    /// The number of steps, of which the last may have fewer groups.
    steps: usize,
}

impl<E: Encoding> Work for Write<'_, Structured<'_, E, bf16, bf16, STORED, OF>, Expanded<'_>, f32> {
    type Output = Result<(), KernelError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { product, method, c } = self;
        let (columns, all) = (product.columns, product.b.len() / product.columns / OF);
        let most = columns.div_ceil(LANES).min(PANELS);
        let mut panels = Panels::<Row<u32, LANES>>::new(most * CHUNK / 2)?;
        let mut expanded = super::super::filled(1, Rows([[bf16::ZERO; PITCH]; TALL]))?;
        for column in (0..columns).step_by(PANELS * LANES) {
            let count = (columns - column).div_ceil(LANES).min(PANELS);
            for group in (0..all).step_by(CHUNK / OF) {
                let groups = (all - group).min(CHUNK / OF);
                let part = Part { group, groups, steps: (groups * OF).div_ceil(STEP) };
                for panel in 0..count {
                    let rows = &mut panels.rows()[panel * CHUNK / 2..][..part.steps * STEP / 2];
                    let first = column + panel * LANES;
                    for (number, row) in rows.iter_mut().enumerate() {
                        row.write(pairs(product, part, number, first));
                    }
                }
                for row in (0..product.rows.len()).step_by(TALL) {
                    for (number, to) in expanded[0].0.iter_mut().enumerate() {
                        expand(product, part, row + number, to, method.spread);
                    }
                    for panel in 0..count {
                        let rows = &panels.rows()[panel * CHUNK / 2..][..part.steps * STEP / 2];
                        // SAFETY: these rows have been written.
                        let rows = unsafe { rows.assume_init_ref() };
                        let at = (row, column + panel * LANES);
                        method.multiply(part, (&expanded[0], rows), (columns, at), c);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The pairs of two rows of the dense matrix, of the columns from `first` on. Pairs after the last group are zero.
#[inline(always)]
fn pairs<E: Encoding>(
    product: &Structured<'_, E, bf16, bf16, STORED, OF>,
    part: Part,
    number: usize,
    first: usize,
) -> Row<u32, LANES> {
    if 2 * number >= part.groups * OF {
        return Row([0; LANES]);
    }
    let (columns, width) = (product.columns, LANES.min(product.columns - first));
    let at = (part.group * OF + 2 * number) * columns + first;
    side_by_side(&product.b[at..][..width], &product.b[at + columns..][..width])
}

/// Expands the steps of a row, or writes zeros if there is no such row.
#[inline(always)]
fn expand<E: Encoding>(
    product: &Structured<'_, E, bf16, bf16, STORED, OF>,
    part: Part,
    row: usize,
    to: &mut [bf16; PITCH],
    _: HasAvx512Spread,
) {
    if row >= product.rows.len() {
        to.fill(bf16::ZERO);
        return;
    }
    let all = product.b.len() / product.columns / OF;
    let start = ((product.rows.start + row) * all + part.group) * STORED;
    let range = start..start + part.groups * STORED;
    let values = &product.a[range.clone()];
    // Groups after the last one have zeros for values, and coordinates that are in bounds.
    let mut coordinates = [0; CHUNK / OF * STORED];
    for (to, coordinate) in coordinates.iter_mut().zip(product.level.stored(range)) {
        *to = coordinate as u8;
    }
    let steps = to.as_chunks_mut::<STEP>().0.iter_mut().zip(coordinates.as_chunks::<VALUES>().0);
    let (whole, rest) = values.as_chunks::<VALUES>();
    let mut last = [bf16::ZERO; VALUES];
    last[..rest.len()].copy_from_slice(rest);
    for ((to, coordinates), values) in steps.zip(whole.iter().chain([&last])) {
        // SAFETY: the value proves that the CPU has the instructions.
        unsafe { expand_step(values, coordinates, to) };
    }
}

/// Expands 32 elements.
///
/// # Safety
/// The CPU must have the instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2")]
unsafe fn expand_step(values: &[bf16; VALUES], coordinates: &[u8; VALUES], to: &mut [bf16; STEP]) {
    /// For each element, the group to which it belongs, and twice its number in the group.
    const GROUPS: [u16; STEP] = {
        let (mut groups, mut at) = ([0; STEP], 0);
        while at < STEP {
            groups[at] = (at / OF) as u16;
            at += 1;
        }
        groups
    };
    const NUMBERS: [u16; STEP] = {
        let (mut numbers, mut at) = ([0; STEP], 0);
        while at < STEP {
            numbers[at] = (at % OF * 0x0101) as u16;
            at += 1;
        }
        numbers
    };
    // SAFETY: the arrays have the bytes of the vectors.
    unsafe {
        let coordinates = _mm_loadu_si128(coordinates.as_ptr().cast());
        let values = _mm256_loadu_si256(values.as_ptr().cast());
        let [groups, numbers] =
            [&GROUPS, &NUMBERS].map(|array| _mm512_loadu_si512(array.as_ptr().cast()));
        let both = _mm512_permutexvar_epi16(groups, _mm512_castsi128_si512(coordinates));
        let differs = _mm512_xor_si512(both, numbers);
        let [first, second] = [0xFF, 0xFF00_u16]
            .map(|byte| _mm512_testn_epi16_mask(differs, _mm512_set1_epi16(byte.cast_signed())));
        let elements = _mm512_maskz_expand_epi16(first | second, _mm512_castsi256_si512(values));
        _mm512_storeu_si512(to.as_mut_ptr().cast(), elements);
    }
}

impl Expanded<'_> {
    /// Adds the products of expanded rows and a panel to sums from a row and a column on. The sums of the first part start from zero.
    #[inline(always)]
    fn multiply(
        self,
        part: Part,
        (a, b): (&Rows, &[Row<u32, LANES>]),
        (columns, (row, column)): (usize, (usize, usize)),
        c: &mut [f32],
    ) {
        const STARTS: [usize; CHUNK / STEP] = {
            let (mut starts, mut step) = ([0; CHUNK / STEP], 0);
            while step < CHUNK / STEP {
                starts[step] = step * STEP / 2;
                step += 1;
            }
            starts
        };
        let multiply = |pitch: usize, sums: &mut [f32]| {
            assert!(sums.len() >= (TALL - 1) * pitch + LANES && b.len() >= part.steps * STEP / 2);
            let starts = &STARTS[..part.steps];
            let tiles = Loop::<Steps>::new(&a.0[0], b, starts, (sums, pitch), part.group > 0);
            // SAFETY: the registers are configured for these rows and pairs. Expanded rows have all steps, the panel has a row for each
            // pair of them, and the sums have two tiles of rows.
            unsafe { tiles.all_columns(true) };
            let _ = self.tiles;
        };
        let c = &mut c[row * columns..];
        if c.len() >= TALL * columns && columns - column >= LANES {
            return multiply(columns, &mut c[column..]);
        }
        let mut sums = [0.0; TALL * LANES];
        for (sums, c) in sums.chunks_exact_mut(LANES).zip(c.chunks_exact(columns)) {
            super::structured::copy(&c[column..], sums);
        }
        multiply(LANES, &mut sums);
        for (sums, c) in sums.chunks_exact(LANES).zip(c.chunks_exact_mut(columns)) {
            super::structured::copy(sums, &mut c[column..]);
        }
    }
}
