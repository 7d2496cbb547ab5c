//! Small products: operands and result are read and written in place, without panels or allocations.
//!
//! If each row is in one tile, its elements are contiguous, and rows are the same distance apart, 128 elements in
//! `f32[64,64]{1,0:T(8,128)}`. So rustc computes three strides, and the call begins with the first multiplication. If the CPU has
//! fast dot products of `bf16` or bytes, operands whose words are not theirs are first brought into that order on the stack: see
//! [`narrow`]. Otherwise, and for other types, they are widened to `f32` there: see [`widened`].
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]

#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod mixed;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod narrow;
pub(super) mod widened;

use super::grid::{Grid, Word};
use super::lanes::{Dot, Vectors};
use super::portable;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{HasAvx512Bf16, HasAvx512F, HasAvx512Vnni, HasFma};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::pairs_are_fast;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// The largest number of rows, columns or inner indices of a small product, so that its operands stay in the L1 and L2 caches.
const MAX_SIZE: usize = 128;

/// The same if a word has several elements: operands that must be brought into another order fit on the stack.
const MAX_NARROW: usize = 64;

/// A small product in which each row of each matrix is in one tile. It multiplies `f64` by `f64`, floats of up to 32 bits by the
/// same and by bytes, with sums that can be rounded to `bf16` and `f16`, and bytes by bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small {
    /// The type that both elements become before they are multiplied, on CPUs that have dot products of it; `f32` on others.
    pub(super) element: DType,
    /// The types of the elements of `A` and `B`.
    operands: [DType; 2],
    /// The type of the result.
    result: DType,
    /// Rows, inner dimension, columns.
    dims: [usize; 3],
    a: Rows,
    b: Rows,
    c: Rows,
    /// Whether `C` has padding, which is written as zero.
    pads: bool,
}

/// The arrangement of the rows of a matrix.
#[derive(Clone, Copy, Debug)]
struct Rows {
    /// The elements from one row to the next, or the words if a row of words contains several rows.
    stride: usize,
    /// The number of rows in a row of words: 1, or as many as elements fit in a word.
    stack: usize,
}

/// A function that computes a small product, for CPUs that have its instructions.
pub(super) type SmallFn = unsafe fn(&Small, &[u8], &[u8], &mut [u8]);

impl Small {
    /// The product of matrices in these layouts, if it is small.
    pub(super) const fn of(a: &TiledSpec, b: &TiledSpec, c: &TiledSpec) -> Option<Self> {
        use DType::{BF16, F16, F32, F64, S8, S32, U8};
        // The largest size.
        let (element, most) = match (a.dtype(), b.dtype(), c.dtype()) {
            (F32, F32, F32) | (F64, F64, F64) => (a.dtype(), MAX_SIZE),
            (BF16, BF16 | S8, F32 | BF16) | (S8, BF16, F32 | BF16) => (BF16, MAX_NARROW),
            (S8, S8, S32) => (S8, MAX_NARROW),
            // The sum of 64 products of bytes is less than 2^24, so it is exact.
            (S8 | U8, S8 | U8, S32) => (F32, MAX_NARROW),
            (F32 | BF16 | F16, F32 | BF16 | F16 | S8 | U8, F32 | BF16 | F16)
            | (S8 | U8, F32 | BF16 | F16, F32 | BF16 | F16) => (F32, MAX_NARROW),
            _ => return None,
        };
        let (Some(a_rows), Some(b_rows), Some(c_rows)) =
            (Rows::of(a, most), Rows::of(b, most), Rows::of(c, most))
        else {
            return None;
        };
        let ([rows, depth], [_, columns]) = (a.dims(), b.dims()) else { return None };
        Some(Self {
            element,
            operands: [a.dtype(), b.dtype()],
            result: c.dtype(),
            dims: [*rows, *depth, *columns],
            a: a_rows,
            b: b_rows,
            c: c_rows,
            pads: c.len() != c.elements(),
        })
    }

    /// Writes the product to `c`, and zeros to its padding.
    #[inline]
    pub(super) fn multiply(&self, a: &[u8], b: &[u8], c: &mut [u8]) {
        self.run(self.function(), a, b, c);
    }

    /// The fastest function for this CPU.
    #[inline]
    fn function(&self) -> SmallFn {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            match self.element {
                DType::BF16 if pairs_are_fast() && HasAvx512Bf16::detect().is_some() => {
                    return avx512::small_bf16;
                }
                DType::S8 if HasAvx512Vnni::detect().is_some() => return avx512::small_s8,
                _ => {}
            }
            if HasAvx512F::detect().is_some() {
                return self.of_three([
                    avx512::small_f64,
                    avx512::small_f32,
                    avx512::small_widened,
                ]);
            }
            if HasFma::detect().is_some() {
                return self.of_three([avx2::small_f64, avx2::small_f32, avx2::small_widened]);
            }
        }
        self.of_three([portable::small_f64, portable::small_f32, portable::small_widened])
    }

    /// The function for these elements, of those for `f64`, for `f32` and for others.
    #[inline]
    fn of_three(&self, [f64, f32, widened]: [SmallFn; 3]) -> SmallFn {
        match (self.element, self.operands, self.result) {
            (DType::F64, ..) => f64,
            (_, [DType::F32, DType::F32], DType::F32) => f32,
            _ => widened,
        }
    }

    /// Every function that this CPU can run.
    #[cfg(test)]
    pub(super) fn each(&self, mut with: impl FnMut(SmallFn)) {
        with(self.of_three([portable::small_f64, portable::small_f32, portable::small_widened]));
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            if HasFma::detect().is_some() {
                with(self.of_three([avx2::small_f64, avx2::small_f32, avx2::small_widened]));
            }
            if HasAvx512F::detect().is_some() {
                with(self.of_three([avx512::small_f64, avx512::small_f32, avx512::small_widened]));
            }
            if self.element == DType::BF16 && HasAvx512Bf16::detect().is_some() {
                with(avx512::small_bf16);
            }
            if self.element == DType::S8 && HasAvx512Vnni::detect().is_some() {
                with(avx512::small_s8);
            }
        }
    }

    /// [`Small::multiply`] with a function whose instructions the CPU has.
    #[inline]
    pub(super) fn run(&self, function: SmallFn, a: &[u8], b: &[u8], c: &mut [u8]) {
        // SAFETY: whoever names a function has proof that the CPU has its instructions. The function checks the lengths.
        unsafe { function(self, a, b, c) }
    }

    /// The product of elements of whole words.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    pub(super) fn wide<S: SmallDot, const ROWS: usize>(
        &self,
        simd: S,
        a: &[u8],
        b: &[u8],
        c: &mut [u8],
    ) {
        let words = S::FACTOR_WORDS;
        let Self { dims: [rows, depth, columns], a: a_rows, b: b_rows, c: c_rows, .. } = *self;
        let product = Words {
            dims: [rows, depth, columns * words],
            strides: [a_rows.stride * words, b_rows.stride * words, c_rows.stride * words],
            pads: self.pads,
        };
        product.by_blocks::<S, ROWS>(simd, a.as_chunks().0, b.as_chunks().0, c.as_chunks_mut().0);
    }
}

impl Rows {
    /// The rows of a small matrix, if each is in one tile and a row of words contains 1 row or as many as elements fit in a
    /// word.
    const fn of(spec: &TiledSpec, most: usize) -> Option<Self> {
        let [rows, columns] = spec.dims() else { return None };
        let stack = match spec.dtype() {
            DType::BF16 | DType::F16 => 2,
            DType::S8 | DType::U8 => 4,
            _ => 1,
        };
        let (grid, stack) = match (Grid::of(spec, 1), Grid::of(spec, stack)) {
            (Some(grid), _) => (grid, 1),
            (None, Some(grid)) => (grid, stack),
            (None, None) => return None,
        };
        let small = *rows <= most && *columns <= most && grid.width <= 2 * MAX_SIZE;
        // With only one tile across, no row continues in another tile.
        if small && *columns <= grid.width && spec.draft().bounded == 0 {
            Some(Self { stride: grid.width, stack })
        } else {
            None
        }
    }
}

/// A small product, in words.
struct Words {
    /// The rows, the factors of a row of `A`, and the words of a row of `B`.
    dims: [usize; 3],
    /// The words from one row to the next in `A`, `B` and `C`.
    strides: [usize; 3],
    pads: bool,
}

impl Words {
    /// The product in blocks of `ROWS` rows and two vectors, with narrower and lower blocks at the edges.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    fn by_blocks<S: SmallDot, const ROWS: usize>(
        &self,
        simd: S,
        a: &[Word],
        b: &[Word],
        c: &mut [Word],
    ) {
        const { assert!(ROWS == 4 || ROWS == 8) }
        let Self { dims: [rows, depth, columns], strides: [a_stride, b_stride, c_stride], .. } =
            *self;
        let spans = |len: usize, rows: usize, columns: usize, stride: usize| {
            rows == 0 || columns == 0 || (rows - 1) * stride + columns <= len
        };
        assert!(
            spans(a.len(), rows, depth * S::FACTOR_WORDS, a_stride)
                && spans(b.len(), depth, columns, b_stride)
                && spans(c.len(), rows, columns, c_stride)
        );
        if self.pads {
            clear_padding(simd, c, rows, columns, c_stride);
        }
        let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let mut column = 0;
        while column < columns {
            let wide = (columns - column).min(2 * S::LANES);
            let mask = simd.first(if wide > S::LANES { wide - S::LANES } else { wide });
            // SAFETY: the columns are in the matrix, whose length has been asserted.
            let start = unsafe {
                if wide > S::LANES {
                    start::<S, 2>(simd, mask, b.wrapping_add(column), b_stride, depth)
                } else {
                    let [start] = start(simd, mask, b.wrapping_add(column), b_stride, depth);
                    [start; 2]
                }
            };
            let mut row = 0;
            while row < rows {
                let high = rows - row;
                let block = SmallBlock {
                    depth,
                    strides: self.strides,
                    a: a.wrapping_add(row * a_stride),
                    b: b.wrapping_add(column),
                    c: c.wrapping_add(row * c_stride + column),
                };
                // SAFETY: the rows and columns of the block are in the matrices, whose lengths have been asserted.
                row += unsafe {
                    if wide > S::LANES {
                        block.run_rows::<S, ROWS, 2>(simd, start, mask, high)
                    } else {
                        block.run_rows::<S, ROWS, 1>(simd, [start[0]], mask, high)
                    }
                };
            }
            column += wide;
        }
    }
}

/// Writes zeros to everything to the right of and below some rows and columns, unless all of it is zero already: reading takes
/// half as long as writing, and a result that is written repeatedly keeps its padding.
#[inline(always)]
fn clear_padding<S: FirstLanes>(
    simd: S,
    c: &mut [Word],
    rows: usize,
    columns: usize,
    stride: usize,
) {
    let (rows, below) = c.split_at_mut(c.len().min(rows * stride));
    let mut set = [simd.splat(0); CHAINS];
    bits_of(simd, below, &mut set);
    let done = bits_beside(simd, rows, columns, stride, &mut set);
    for row in rows[done..].chunks_exact(stride) {
        bits_of(simd, &row[columns..], &mut set);
    }
    let set = set.into_iter().fold(simd.splat(0), |all, set| simd.or(all, set));
    if !simd.is_zero(set) {
        for row in rows.chunks_exact_mut(stride) {
            row[columns..].fill(Word::default());
        }
        below.fill(Word::default());
    }
}

/// The number of vectors of bits that are collected independently, and of rows that are read together, so that none waits for another.
const CHAINS: usize = 4;

/// Words without bits, then words with all bits.
static NONE_THEN_ALL: [Word; 32] = {
    let (mut words, mut i) = ([[0; 4]; 32], 16);
    while i < 32 {
        words[i] = [0xFF; 4];
        i += 1;
    }
    words
};

/// Adds the bits that are set to the right of some columns, in as many rows as are read together. Returns the number of words of
/// these rows. All vectors are whole, and start where a vector of the row does, which takes half of the time of [`bits_of`].
#[inline(always)]
fn bits_beside<S: FirstLanes>(
    simd: S,
    rows: &[Word],
    columns: usize,
    stride: usize,
    set: &mut [S::Vector; CHAINS],
) -> usize {
    const { assert!(2 * S::LANES <= NONE_THEN_ALL.len()) }
    if !stride.is_multiple_of(S::LANES) || columns > stride {
        return 0;
    }
    let (first, cut) = (columns - columns % S::LANES, columns % S::LANES);
    let mut fours = rows.chunks_exact(CHAINS * stride);
    for four in &mut fours {
        let mut column = first;
        if cut > 0 {
            // SAFETY: the cut is less than a vector, and the array has two.
            let kept = unsafe { simd.load(NONE_THEN_ALL.as_ptr().add(16 - cut)) };
            for (i, set) in set.iter_mut().enumerate() {
                // SAFETY: the vector is in the row, which has whole vectors.
                let words = unsafe { simd.load(four.as_ptr().add(i * stride + column)) };
                *set = simd.or(*set, simd.and(words, kept));
            }
            column += S::LANES;
        }
        while column < stride {
            for (i, set) in set.iter_mut().enumerate() {
                // SAFETY: as above.
                let words = unsafe { simd.load(four.as_ptr().add(i * stride + column)) };
                *set = simd.or(*set, words);
            }
            column += S::LANES;
        }
    }
    rows.len() - fours.remainder().len()
}

/// Adds the bits that are set in some words.
#[inline(always)]
fn bits_of<S: FirstLanes>(simd: S, words: &[Word], set: &mut [S::Vector; CHAINS]) {
    let mut lines = words.chunks_exact(CHAINS * S::LANES);
    for line in &mut lines {
        for (set, vector) in set.iter_mut().zip(line.chunks_exact(S::LANES)) {
            // SAFETY: these are the words of a vector.
            *set = simd.or(*set, unsafe { simd.load(vector.as_ptr()) });
        }
    }
    for (set, vector) in set.iter_mut().zip(lines.remainder().chunks(S::LANES)) {
        // SAFETY: the mask has as many words as there are.
        let words = unsafe { simd.load_first(simd.first(vector.len()), vector.as_ptr()) };
        *set = simd.or(*set, words);
    }
}

/// Operations on vectors that small products need: to read and write only their first words, and to find padding that is not
/// zero.
pub(super) trait FirstLanes: Vectors {
    /// A set of words of a vector.
    type Mask: Copy;

    /// The bits that are set in either vector.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Whether no bit is set.
    fn is_zero(self, words: Self::Vector) -> bool;
    /// The mask of the first `count` words, at most [`Vectors::LANES`].
    fn first(self, count: usize) -> Self::Mask;
    /// Loads the words of the mask; the others are zero.
    ///
    /// # Safety
    /// The words of the mask must be readable.
    unsafe fn load_first(self, mask: Self::Mask, from: *const Word) -> Self::Vector;
    /// Writes the words of the mask.
    ///
    /// # Safety
    /// The words of the mask must be writable.
    unsafe fn store_first(self, words: Self::Vector, mask: Self::Mask, to: *mut Word);
}

/// Dot products of small matrices, whose factors are read in place.
pub(super) trait SmallDot: Dot + FirstLanes {
    /// The number that `A` contains in addition to its elements, as a word.
    const EXCESS: Option<u32> = None;

    /// The factor at an address, repeated for each word or pair of words of `B` by which it is multiplied.
    ///
    /// # Safety
    /// The words of the factor must be readable.
    #[inline(always)]
    unsafe fn factor(self, at: *const Word) -> Self::Vector {
        // SAFETY: the caller promises the word.
        self.splat(u32::from_le_bytes(unsafe { *at }))
    }

    /// The negative of each 32-bit integer, for types with an [`EXCESS`](Self::EXCESS).
    fn negative(self, sums: Self::Vector) -> Self::Vector {
        sums
    }
}

/// The words of some columns of a row; of the last vector, those of the mask.
///
/// # Safety
/// The words must be readable.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "see `SmallBlock::run`")]
unsafe fn row<S: FirstLanes, const VECTORS: usize>(
    simd: S,
    mask: S::Mask,
    b: *const Word,
) -> [S::Vector; VECTORS] {
    let mut words = [simd.splat(0); VECTORS];
    for j in 0..VECTORS {
        let from = b.wrapping_add(j * S::LANES);
        // SAFETY: the caller promises the columns.
        words[j] =
            unsafe { if j + 1 < VECTORS { simd.load(from) } else { simd.load_first(mask, from) } };
    }
    words
}

/// The initial sums of some columns: zero or, if `A` has an excess, the negative of what the excess adds.
///
/// # Safety
/// The columns must be readable in `depth` rows.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "see `SmallBlock::run`")]
unsafe fn start<S: SmallDot, const VECTORS: usize>(
    simd: S,
    mask: S::Mask,
    mut b: *const Word,
    stride: usize,
    depth: usize,
) -> [S::Vector; VECTORS] {
    let mut sums = [simd.splat(0); VECTORS];
    if let Some(excess) = S::EXCESS {
        for _ in 0..depth {
            // SAFETY: the caller promises the same.
            let words: [_; VECTORS] = unsafe { row(simd, mask, b) };
            for j in 0..VECTORS {
                sums[j] = simd.dot(sums[j], simd.splat(excess), words[j]);
            }
            b = b.wrapping_add(stride);
        }
        for j in 0..VECTORS {
            sums[j] = simd.negative(sums[j]);
        }
    }
    sums
}

/// Some rows and columns of the product that start at these addresses.
struct SmallBlock {
    depth: usize,
    strides: [usize; 3],
    a: *const Word,
    b: *const Word,
    c: *mut Word,
}

impl SmallBlock {
    /// Computes `ROWS` rows, or only `high` if there are fewer; see [`SmallBlock::run`].
    ///
    /// # Safety
    /// As for [`SmallBlock::run`].
    #[inline(always)]
    unsafe fn run_rows<S: SmallDot, const ROWS: usize, const VECTORS: usize>(
        self,
        simd: S,
        start: [S::Vector; VECTORS],
        mask: S::Mask,
        high: usize,
    ) -> usize {
        // SAFETY: the caller promises the same.
        unsafe {
            match high {
                1 => self.run::<S, 1, VECTORS>(simd, start, mask),
                2..4 => self.run::<S, 2, VECTORS>(simd, start, mask),
                _ if high < ROWS || ROWS == 4 => self.run::<S, 4, VECTORS>(simd, start, mask),
                _ => self.run::<S, ROWS, VECTORS>(simd, start, mask),
            }
        }
    }

    /// Computes `ROWS` rows of `VECTORS` vectors; of the last vector, only the words of the mask are in the product. Returns
    /// the number of rows.
    ///
    /// # Safety
    /// The whole block must be in the matrices.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "see below")]
    unsafe fn run<S: SmallDot, const ROWS: usize, const VECTORS: usize>(
        self,
        simd: S,
        start: [S::Vector; VECTORS],
        mask: S::Mask,
    ) -> usize {
        let Self { depth, strides: [a_stride, b_stride, c_stride], a, mut b, c } = self;
        let mut sums = [start; ROWS];
        // Loops over indices, because arrays that are iterated by value go through memory.
        for step in 0..depth {
            // SAFETY: the caller promises the columns.
            let words: [_; VECTORS] = unsafe { row(simd, mask, b) };
            for i in 0..ROWS {
                let at = a.wrapping_add(i * a_stride + step * S::FACTOR_WORDS);
                // SAFETY: the caller promises the rows.
                let factor = unsafe { simd.factor(at) };
                for j in 0..VECTORS {
                    sums[i][j] = simd.dot(sums[i][j], factor, words[j]);
                }
            }
            b = b.wrapping_add(b_stride);
        }
        for i in 0..ROWS {
            for j in 0..VECTORS {
                let to = c.wrapping_add(i * c_stride + j * S::LANES);
                // SAFETY: as for the columns of `b`.
                unsafe {
                    if j + 1 < VECTORS {
                        simd.store(sums[i][j], to);
                    } else {
                        simd.store_first(sums[i][j], mask, to);
                    }
                }
            }
        }
        ROWS
    }
}
