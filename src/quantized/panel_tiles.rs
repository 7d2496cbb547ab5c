//! Panels of weights times 16 rows of activations at a time, with the tile registers of AMX.
//!
//! A tile of `B` is 16 pairs of 16 rows of weights, half of the width of a panel; a tile of `A` is 16 pairs of each row of activations,
//! read from where they are. A block of 32 elements is one product of tiles, whose 256 sums are then multiplied by the scales of the
//! 16 rows of weights. Four blocks are multiplied one after the other, so that no product waits for the one before it.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::panels::{BlockCount, COLUMNS, Sums};
use crate::cpu::tile_registers::{configure, release, tile_asm};
use core::arch::x86_64::*;
use half::bf16;

/// The rows of activations that are multiplied at once.
pub(super) const ROWS: usize = 16;

/// The pairs of elements in a tile.
pub(super) const PAIRS: usize = 16;

/// The blocks whose sums are stored before they are scaled.
const BLOCKS: usize = 4;

/// The sums of a block.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Part([[f32; 16]; ROWS]);

/// The product of tiles over the pairs of a block, with its own register of sums.
macro_rules! multiply_block {
    ($sums:literal $a:literal $b:literal $block:ident) => {{
        let (a, a_stride, b, steps, to) = $block;
        tile_asm!(
            concat!("tilezero ", $sums),
            "2:",
            concat!("tileloadd ", $a, ", [{a} + {a_stride}*1]"),
            concat!("tileloadd ", $b, ", [{b} + {b_stride}*1]"),
            concat!("tdpbf16ps ", $sums, ", ", $a, ", ", $b),
            "add {a}, 64",
            "add {b}, {b_step}",
            "dec {steps}",
            "jnz 2b",
            concat!("tilestored [{to} + {to_stride}*1], ", $sums),
            a = inout(reg) a => _,
            a_stride = in(reg) a_stride,
            b = inout(reg) b => _,
            b_stride = in(reg) 4 * COLUMNS,
            steps = inout(reg) steps => _,
            to = in(reg) to,
            to_stride = in(reg) 64_usize,
            b_step = const 4 * COLUMNS * PAIRS,
            options(nostack)
        );
    }};
}

/// Multiplies some rows of activations, `width` apart, by a panel. Their number must be a multiple of [`ROWS`], and the pairs of a block
/// a multiple of [`PAIRS`].
///
/// # Safety
/// The result must have these rows of the lanes that the masks name, `stride` apart. The process must be allowed to use AMX with its dot
/// products of `bf16`, whose registers must not contain anything that is still needed, and the CPU must have AVX-512 F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn multiply(
    with: &Sums<'_>,
    x: &[bf16],
    width: usize,
    rows: usize,
    to: *mut f32,
) {
    let BlockCount { count, pairs } = with.blocks;
    assert!(pairs > 0 && pairs.is_multiple_of(PAIRS) && rows.is_multiple_of(ROWS));
    assert!(rows == 0 || x.len() >= (rows - 1) * width + 2 * count * pairs);
    assert!(with.panel.len() >= count * pairs * COLUMNS && with.scales.len() >= count * COLUMNS);
    // SAFETY: the caller promises AMX.
    unsafe { configure(ROWS, PAIRS) };
    for first in (0..rows).step_by(ROWS) {
        for half in 0..COLUMNS / 16 {
            // SAFETY: the activations, the panel and the scales have the lengths that are asserted; the caller promises the result
            // and the instructions.
            unsafe {
                let x = x.as_ptr().add(first * width);
                let to = to.add(first * with.stride).wrapping_add(half * 16);
                multiply_half(with, (x, width), half, to);
            }
        }
    }
    // SAFETY: as above; no register is needed any more.
    unsafe { release() };
}

/// Multiplies 16 rows of activations by half of the columns of a panel.
///
/// # Safety
/// As for [`multiply`], with the activations and the results at the pointers, and with configured registers.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn multiply_half(
    with: &Sums<'_>,
    (x, width): (*const bf16, usize),
    half: usize,
    to: *mut f32,
) {
    let BlockCount { count, pairs } = with.blocks;
    let mut parts = [Part([[0.0; 16]; ROWS]); BLOCKS];
    // SAFETY: the caller promises the activations, the panel, the scales and the lanes of the result.
    unsafe {
        let mut sums = [_mm512_setzero_ps(); ROWS];
        if with.adds {
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_maskz_loadu_ps(with.masks[half], to.wrapping_add(row * with.stride));
            }
        }
        for start in (0..count).step_by(BLOCKS) {
            let blocks = BLOCKS.min(count - start);
            for (i, part) in parts.iter_mut().enumerate().take(blocks) {
                let at = (start + i) * pairs;
                let a = x.add(2 * at);
                let b = with.panel.as_ptr().add(at * COLUMNS + half * 16);
                let to: *mut Part = part;
                let block = (a, width * size_of::<bf16>(), b, pairs / PAIRS, to);
                match i {
                    0 => multiply_block!("tmm0" "tmm4" "tmm6" block),
                    1 => multiply_block!("tmm1" "tmm5" "tmm7" block),
                    2 => multiply_block!("tmm2" "tmm4" "tmm6" block),
                    _ => multiply_block!("tmm3" "tmm5" "tmm7" block),
                }
            }
            for (i, Part(part)) in parts.iter().enumerate().take(blocks) {
                let scales = with.scales.as_ptr().add((start + i) * COLUMNS + half * 16);
                let scales = _mm512_loadu_ps(scales);
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum = _mm512_fmadd_ps(_mm512_load_ps(part.as_ptr()), scales, *sum);
                }
            }
        }
        let factor = _mm512_set1_ps(with.factor);
        for (row, sum) in sums.into_iter().enumerate() {
            // Lanes that the mask leaves out are not written, so they may be out of bounds.
            let to = to.wrapping_add(row * with.stride);
            _mm512_mask_storeu_ps(to, with.masks[half], _mm512_mul_ps(sum, factor));
        }
    }
}
