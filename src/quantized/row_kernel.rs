//! The inner loop of products: some rows of weights times a few rows of activations.
//!
//! There is a type for each kind of element and each kind of scale, so that a loop has no branch on either.
//!
//! A group of 32 elements becomes two vectors of 16. In a block of `q8_0`, these are the bytes 0 to 15 and 16 to 31; in a block
//! of `q4_0`, the low bits of its 16 bytes, which are elements 0 to 15, and the high bits, elements 16 to 31.
#![allow(unsafe_code, reason = "rows of weights are read by address")]

use super::lanes::{Lanes, Tables};
use crate::cpu::prefetch;
use core::marker::PhantomData;
use core::mem::transmute;
use half::f16;

/// The number of elements of a group: two vectors.
pub(super) const GROUP: usize = 32;

/// The number of rows of weights for which activations are read once.
pub(super) const TOGETHER: usize = 4;

/// The smallest distance in bytes at which weights are prefetched. Reading this many bytes takes longer than the latency of memory.
pub(super) const AHEAD: usize = 12 << 10;

/// The number of blocks whose scales are read at once. In a plane, they fit in a cache line.
pub(super) const SCALES: usize = 16;

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
    /// A scale; for [`Pairs`], two scales.
    type Number: ScaleNumber;

    /// # Safety
    /// A scale must be readable at `from`; for [`Pairs`], two scales.
    unsafe fn read<S: Lanes>(simd: S, from: *const u8, tables: &Tables) -> Self::Number;

    /// The scales of `count` blocks, `stride` bytes apart, and zeros.
    ///
    /// # Safety
    /// As [`ScaleKind::read`] for each block. There must be at most [`SCALES`].
    #[inline(always)]
    unsafe fn read_all<S: Lanes>(
        simd: S,
        from: *const u8,
        stride: usize,
        count: usize,
        tables: &Tables,
    ) -> [Self::Number; SCALES] {
        let mut numbers = [Self::Number::default(); SCALES];
        for (block, number) in numbers[..count].iter_mut().enumerate() {
            // SAFETY: the caller promises the scale.
            *number = unsafe { Self::read(simd, from.add(block * stride), tables) };
        }
        numbers
    }
}

/// One scale for a group, or two.
pub(super) trait ScaleNumber: Copy + Default {
    /// A vector of the scales of a group.
    fn vector<S: Lanes>(self, simd: S) -> S::Vector;
}

impl ScaleNumber for f32 {
    #[inline(always)]
    fn vector<S: Lanes>(self, simd: S) -> S::Vector {
        simd.splat(self)
    }
}

impl ScaleNumber for [f32; 2] {
    #[inline(always)]
    fn vector<S: Lanes>(self, simd: S) -> S::Vector {
        let [low, high] = self;
        simd.halves(low, high)
    }
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
    type Number = f32;

    /// # Safety
    /// As [`ScaleKind::read`].
    #[inline(always)]
    unsafe fn read<S: Lanes>(simd: S, from: *const u8, _: &Tables) -> f32 {
        // SAFETY: the caller promises the bytes.
        simd.widen_f16(f16::from_le_bytes(unsafe { from.cast::<[u8; 2]>().read() }))
    }

    /// Converted by one instruction, where there is one.
    ///
    /// # Safety
    /// As [`ScaleKind::read_all`].
    #[inline(always)]
    unsafe fn read_all<S: Lanes>(
        simd: S,
        from: *const u8,
        stride: usize,
        count: usize,
        _: &Tables,
    ) -> [f32; SCALES] {
        let mut halves = [[0; 2]; SCALES];
        // SAFETY: the caller promises the scales.
        unsafe {
            if count < SCALES {
                for (block, half) in halves[..count].iter_mut().enumerate() {
                    *half = from.add(block * stride).cast::<[u8; 2]>().read();
                }
            } else if stride == 2 {
                halves = from.cast::<[[u8; 2]; SCALES]>().read();
            } else {
                // Words rather than halves: a vector that is loaded right after 16 small stores waits until all are done.
                let mut words = [[0; 8]; SCALES / 4];
                for (four, word) in words.iter_mut().enumerate() {
                    let mut bits = 0;
                    for block in 0..4 {
                        let from = from.add((4 * four + block) * stride).cast::<[u8; 2]>();
                        bits |= u64::from(u16::from_le_bytes(from.read())) << (16 * block);
                    }
                    *word = bits.to_le_bytes();
                }
                halves = transmute::<[[u8; 8]; SCALES / 4], [[u8; 2]; SCALES]>(words);
            }
        }
        simd.widen_f16s(halves)
    }
}

#[derive(Clone, Copy)]
pub(super) struct F32;

impl ScaleKind for F32 {
    type Number = f32;

    /// # Safety
    /// As [`ScaleKind::read`].
    #[inline(always)]
    unsafe fn read<S: Lanes>(_: S, from: *const u8, _: &Tables) -> f32 {
        // SAFETY: the caller promises the bytes.
        f32::from_le_bytes(unsafe { from.cast::<[u8; 4]>().read() })
    }
}

/// A scale of 8 bits.
#[derive(Clone, Copy)]
pub(super) struct Byte;

impl ScaleKind for Byte {
    type Number = f32;

    /// # Safety
    /// As [`ScaleKind::read`].
    #[inline(always)]
    unsafe fn read<S: Lanes>(_: S, from: *const u8, tables: &Tables) -> f32 {
        // SAFETY: the caller promises the byte.
        tables.scales[usize::from(unsafe { from.read() })]
    }
}

/// Two scales of 8 bits, each of 16 elements: pairs of elements share a byte, so each scale applies to eight bytes of a group.
#[derive(Clone, Copy)]
pub(super) struct Pairs;

impl ScaleKind for Pairs {
    type Number = [f32; 2];

    /// # Safety
    /// As [`ScaleKind::read`].
    #[inline(always)]
    unsafe fn read<S: Lanes>(_: S, from: *const u8, tables: &Tables) -> [f32; 2] {
        // SAFETY: the caller promises the bytes.
        let codes = unsafe { from.cast::<[u8; 2]>().read() };
        codes.map(|code| tables.scales[usize::from(code)])
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
    /// The bytes from the scales of one group of a block to those of the next: 0 if the groups of a block have the same scale.
    #[cfg_attr(
        not(all(feature = "std", target_arch = "x86_64")),
        allow(dead_code, reason = "other loops read copies in which no groups share a block")
    )]
    pub(super) group_scales: usize,
    /// The scale of the whole array.
    pub(super) tensor_scale: f32,
    pub(super) tables: &'a Tables,
}

/// Multiplies rows of weights by `R` rows of activations: `y` has `R` sums for each row of weights. The activations of a
/// group are in the order of its two vectors.
///
/// # Safety
/// The elements and scales of `y.len() / R` rows must be readable, the groups of a block must have the same scale, and each row of `x`
/// must have `blocks * groups` groups.
#[inline(always)]
pub(super) unsafe fn multiply<S: Lanes, K: Kinds, const R: usize>(
    simd: S,
    rows: Rows<'_>,
    x: [&[f32]; R],
    y: &mut [f32],
) {
    let x = x.map(<[f32]>::as_ptr);
    let (count, mut row) = (y.len() / R, 0);
    if rows.groups == 1 {
        // Rows of weights share what is read of the activations: one row of these takes as long to read as the weights, and four do
        // not fit in the L1 cache.
        while R == 1 && row + TOGETHER <= count {
            // SAFETY: the caller promises the rows and the activations, and blocks have one group.
            unsafe { some_rows::<S, K, R, TOGETHER, true>(simd, &rows, row, x, &mut y[row..]) };
            row += TOGETHER;
        }
        while R > 1 && S::HAS_32_REGISTERS && row + 2 <= count {
            // SAFETY: as above.
            unsafe { some_rows::<S, K, R, 2, true>(simd, &rows, row, x, &mut y[row * R..]) };
            row += 2;
        }
        while R > 1 && !S::HAS_32_REGISTERS && row < count {
            // SAFETY: as above.
            unsafe { some_rows::<S, K, R, 1, true>(simd, &rows, row, x, &mut y[row * R..]) };
            row += 1;
        }
    }
    while row < count {
        // SAFETY: as above; blocks may have any number of groups.
        unsafe { some_rows::<S, K, R, 1, false>(simd, &rows, row, x, &mut y[row * R..]) };
        row += 1;
    }
}

/// `N` rows of weights, from `first` on. If blocks are known to have `ONE` group, all sums are in registers.
///
/// # Safety
/// As [`multiply`], for these rows. If `ONE`, blocks must have one group.
#[inline(always)]
unsafe fn some_rows<S: Lanes, K: Kinds, const R: usize, const N: usize, const ONE: bool>(
    simd: S,
    rows: &Rows<'_>,
    first: usize,
    x: [*const f32; R],
    y: &mut [f32],
) {
    let groups = if ONE { 1 } else { rows.groups };
    // Loops rather than closures: a closure is compiled for the CPU of its caller only if it is inlined.
    let mut sums = [[simd.splat(0.0); R]; N];
    let mut at = 0;
    for first_block in (0..rows.blocks).step_by(SCALES) {
        let count = (rows.blocks - first_block).min(SCALES);
        let mut scales = [[<K::Scales as ScaleKind>::Number::default(); SCALES]; N];
        for (n, scales) in scales.iter_mut().enumerate() {
            let (stride, tables) = (rows.scale_stride, rows.tables);
            // SAFETY: the caller promises the rows.
            unsafe {
                let from = rows.scales.add((first + n) * rows.scale_row + first_block * stride);
                prefetch(from.wrapping_add(rows.scales_ahead));
                *scales = K::Scales::read_all(simd, from, stride, count, tables);
            }
        }
        for of_scales in 0..count {
            let block = first_block + of_scales;
            for (n, (sums, scales)) in sums.iter_mut().zip(&scales).enumerate() {
                let mut parts = [simd.splat(0.0); R];
                let offset = (first + n) * rows.element_row + block * rows.element_stride;
                prefetch(rows.elements.wrapping_add(offset + rows.ahead));
                for i in 0..groups {
                    // SAFETY: the caller promises the rows and the activations.
                    unsafe {
                        let elements = rows.elements.add(offset + i * K::Elements::BYTES);
                        let (a, b) = K::Elements::load(simd, elements, rows.tables);
                        for (part, x) in parts.iter_mut().zip(x) {
                            let x = x.add(at + i * GROUP);
                            let second = simd.mul(b, simd.load(x.add(GROUP / 2)));
                            let product = simd.mul_add(a, simd.load(x), second);
                            *part = if i == 0 { product } else { simd.add(*part, product) };
                        }
                    }
                }
                let scale = scales[of_scales].vector(simd);
                for (sum, part) in sums.iter_mut().zip(parts) {
                    *sum = simd.mul_add(part, scale, *sum);
                }
            }
            at += groups * GROUP;
        }
    }
    for (y, sum) in y.iter_mut().zip(sums.as_flattened()) {
        *y = simd.sum(*sum) * rows.tensor_scale;
    }
}
