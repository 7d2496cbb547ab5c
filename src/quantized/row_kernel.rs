//! The inner loop of products: some rows of weights times a few rows of activations.
//!
//! There is a type for each kind of element and each kind of scale, so that a loop has no branch on either.
#![allow(unsafe_code, reason = "rows of weights are read by address")]

use super::lanes::{Lanes, Tables};
use crate::cpu::prefetch;
use core::marker::PhantomData;

/// The number of elements of a group: two vectors.
pub(super) const GROUP: usize = 32;

/// The number of rows of weights for which activations are read once.
pub(super) const TOGETHER: usize = 4;

/// The smallest distance in bytes at which weights are prefetched. Reading this many bytes takes longer than the latency of memory.
pub(super) const AHEAD: usize = 12 << 10;

/// The number of blocks whose scales, in a plane, fit in a cache line.
const BLOCKS_PER_SCALE_LINE: usize = 16;

/// The distance at which elements are prefetched if [`TOGETHER`] rows of `row` bytes are read at once: the same elements of later
/// rows. With 324 bytes, these are in the rows 40 further on, 12,960 bytes away.
pub(super) fn ahead(row: usize) -> usize {
    AHEAD.next_multiple_of((TOGETHER * row).max(1))
}

/// How a group of 32 elements is stored, and becomes numbers.
pub(super) trait Elements: Copy {
    /// The bytes of a group.
    const BYTES: usize;

    /// Two vectors of elements: those of the first and the second half of the bytes, or of the low and the high bits of each byte.
    ///
    /// # Safety
    /// The bytes of a group must be readable at `from`.
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> (S::Vector, S::Vector);
}

/// How the scale of a block is stored, and becomes a vector.
pub(super) trait ScaleKind: Copy {
    /// # Safety
    /// A scale must be readable at `from`; for [`Pairs`], two scales.
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> S::Vector;
}

macro_rules! bytes {
    ($($Kind:ident: $load:ident($($tables:ident)?);)*) => { $(
        #[derive(Clone, Copy)]
        pub(super) struct $Kind;

        impl Elements for $Kind {
            const BYTES: usize = GROUP;

            /// # Safety
            /// As [`Elements::load`].
            #[inline(always)]
            unsafe fn load<S: Lanes>(
                simd: S,
                from: *const u8,
                _tables: &Tables,
            ) -> (S::Vector, S::Vector) {
                $( let $tables = _tables; )?
                // SAFETY: the caller promises 32 bytes.
                unsafe { (simd.$load(from $(, $tables)?), simd.$load(from.add(16) $(, $tables)?)) }
            }
        }
    )* };
}
bytes! { S8: s8(); E4m3: e4m3(tables); E5m2: e5m2(tables); }

#[derive(Clone, Copy)]
pub(super) struct Nibbles;

impl Elements for Nibbles {
    const BYTES: usize = GROUP / 2;

    /// # Safety
    /// As [`Elements::load`].
    #[inline(always)]
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> (S::Vector, S::Vector) {
        // SAFETY: the caller promises 16 bytes.
        unsafe { simd.nibbles(from, tables) }
    }
}

#[derive(Clone, Copy)]
pub(super) struct F16;

impl ScaleKind for F16 {
    /// # Safety
    /// As [`ScaleKind::load`].
    #[inline(always)]
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, _: &Tables) -> S::Vector {
        // SAFETY: the caller promises the bytes.
        simd.splat_f16(u16::from_le_bytes(unsafe { from.cast::<[u8; 2]>().read() }))
    }
}

#[derive(Clone, Copy)]
pub(super) struct F32;

impl ScaleKind for F32 {
    /// # Safety
    /// As [`ScaleKind::load`].
    #[inline(always)]
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, _: &Tables) -> S::Vector {
        // SAFETY: the caller promises the bytes.
        simd.splat(f32::from_le_bytes(unsafe { from.cast::<[u8; 4]>().read() }))
    }
}

/// A scale of 8 bits.
#[derive(Clone, Copy)]
pub(super) struct Byte;

impl ScaleKind for Byte {
    /// # Safety
    /// As [`ScaleKind::load`].
    #[inline(always)]
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> S::Vector {
        // SAFETY: the caller promises the byte.
        simd.splat(tables.scales[usize::from(unsafe { from.read() })])
    }
}

/// Two scales of 8 bits, each of 16 elements: pairs of elements share a byte, so each scale applies to eight bytes of a group.
#[derive(Clone, Copy)]
pub(super) struct Pairs;

impl ScaleKind for Pairs {
    /// # Safety
    /// As [`ScaleKind::load`].
    #[inline(always)]
    unsafe fn load<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> S::Vector {
        // SAFETY: the caller promises the bytes.
        let codes = unsafe { from.cast::<[u8; 2]>().read() };
        let [low, high] = codes.map(|code| tables.scales[usize::from(code)]);
        simd.halves(low, high)
    }
}

/// The types for which a loop is compiled: elements and scales.
pub(super) trait Kinds: Copy {
    type Elements: Elements;
    type Scales: ScaleKind;
}

#[derive(Clone, Copy)]
pub(super) struct Of<E, C>(PhantomData<(E, C)>);

impl<E: Elements, C: ScaleKind> Kinds for Of<E, C> {
    type Elements = E;
    type Scales = C;
}

/// Rows of weights, and their factors.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    /// The elements and the scales of the first row.
    pub(super) elements: *const u8,
    pub(super) scales: *const u8,
    /// The bytes from one row to the next.
    pub(super) element_row: usize,
    pub(super) scale_row: usize,
    /// The distance at which elements are prefetched, see [`ahead`], and that of the scales of the same rows.
    pub(super) ahead: usize,
    pub(super) scales_ahead: usize,
    /// The number of blocks of a row or, if two blocks are a group, of pairs of blocks.
    pub(super) blocks: usize,
    /// The bytes from one block to the next.
    pub(super) element_stride: usize,
    pub(super) scale_stride: usize,
    /// The number of groups of a block.
    pub(super) groups: usize,
    /// The scale of the whole array.
    pub(super) tensor_scale: f32,
    pub(super) tables: &'a Tables,
}

/// Multiplies rows of weights by `R` rows of activations: `y` has `R` sums for each row of weights. The activations of a
/// group are in the order of its two vectors.
///
/// # Safety
/// The elements and scales of `y.len() / R` rows must be readable, and each row of `x` must have `blocks * groups` groups.
#[inline(always)]
pub(super) unsafe fn multiply<S: Lanes, K: Kinds, const R: usize>(
    simd: S,
    rows: Rows<'_>,
    x: [&[f32]; R],
    y: &mut [f32],
) {
    let x = x.map(<[f32]>::as_ptr);
    let count = y.len() / R;
    let mut row = 0;
    // With one row of activations, reading it takes as long as reading the weights: four rows of weights share it.
    while R == 1 && row + TOGETHER <= count {
        // SAFETY: the caller promises the rows and the activations.
        unsafe { some_rows::<S, K, R, TOGETHER>(simd, &rows, row, x, &mut y[row..]) };
        row += TOGETHER;
    }
    while row < count {
        // SAFETY: as above.
        unsafe { some_rows::<S, K, R, 1>(simd, &rows, row, x, &mut y[row * R..]) };
        row += 1;
    }
}

/// `N` rows of weights, from `first` on.
///
/// # Safety
/// As [`multiply`], for these rows.
#[inline(always)]
unsafe fn some_rows<S: Lanes, K: Kinds, const R: usize, const N: usize>(
    simd: S,
    rows: &Rows<'_>,
    first: usize,
    x: [*const f32; R],
    y: &mut [f32],
) {
    // Loops rather than closures: a closure is compiled for the CPU of its caller only if it is inlined.
    let mut sums = [[simd.splat(0.0); R]; N];
    let mut at = 0;
    for block in 0..rows.blocks {
        let mut parts = [[simd.splat(0.0); R]; N];
        for i in 0..rows.groups {
            for (n, parts) in parts.iter_mut().enumerate() {
                // SAFETY: the caller promises the rows and the activations.
                unsafe {
                    let offset = (first + n) * rows.element_row + block * rows.element_stride;
                    let elements = rows.elements.add(offset + i * K::Elements::BYTES);
                    if N > 1 && i == 0 {
                        prefetch(elements.wrapping_add(rows.ahead));
                        // In planes, a cache line contains the scales of many blocks.
                        if block.is_multiple_of(BLOCKS_PER_SCALE_LINE) {
                            let offset = (first + n) * rows.scale_row + block * rows.scale_stride;
                            prefetch(rows.scales.wrapping_add(offset + rows.scales_ahead));
                        }
                    }
                    let (a, b) = K::Elements::load(simd, elements, rows.tables);
                    for (part, x) in parts.iter_mut().zip(x) {
                        let second = simd.load(x.add(at + GROUP / 2));
                        let product = simd.mul_add(a, simd.load(x.add(at)), simd.mul(b, second));
                        *part = if i == 0 { product } else { simd.add(*part, product) };
                    }
                }
            }
            at += GROUP;
        }
        for (n, (sums, parts)) in sums.iter_mut().zip(parts).enumerate() {
            // SAFETY: as above.
            let scale = unsafe {
                let offset = (first + n) * rows.scale_row + block * rows.scale_stride;
                K::Scales::load(simd, rows.scales.add(offset), rows.tables)
            };
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum = simd.mul_add(part, scale, *sum);
            }
        }
    }
    for (y, sum) in y.iter_mut().zip(sums.as_flattened()) {
        *y = simd.sum(*sum) * rows.tensor_scale;
    }
}
