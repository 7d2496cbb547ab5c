//! Small products of `f32`: operands and result are read and written where they lie, without panels, copies or memory.
//!
//! In a row of one tile the elements are contiguous, and rows are equally far apart, in `f32[64,64]{1,0:T(8,128)}` 128
//! elements. So rustc finds three strides, and the call begins with the first multiplication.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]

use super::grid::{Grid, Word};
use super::lanes::{Dot, Vectors};
use super::portable;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{HasAvx512F, HasFma};
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// The most rows, columns or inner indices of a small product: its operands stay in the L1 and L2 caches.
const MOST: usize = 128;

/// A small product: `f32` by `f32`, as `f32`, in which each row of each matrix is in one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small {
    /// Rows, inner dimension, columns.
    dims: [usize; 3],
    /// Words from one row to the next in `A`, `B` and `C`.
    strides: [usize; 3],
    /// Whether `C` has padding, which is zero.
    pads: bool,
}

/// A function that computes a small product, for CPUs that have what it needs.
pub(super) type SmallFn = unsafe fn(&Small, &[Word], &[Word], &mut [Word]);

impl Small {
    /// The product of matrices in these layouts, if it is small.
    pub(super) const fn of(a: &TiledSpec, b: &TiledSpec, c: &TiledSpec) -> Option<Self> {
        let (Some(a_stride), Some(b_stride), Some(c_stride)) = (stride(a), stride(b), stride(c))
        else {
            return None;
        };
        let ([rows, depth], [_, columns]) = (a.dims(), b.dims()) else { return None };
        Some(Self {
            dims: [*rows, *depth, *columns],
            strides: [a_stride, b_stride, c_stride],
            pads: c.len() != c.elements(),
        })
    }

    /// Writes the product to `c`, and zeros to its padding.
    #[inline]
    pub(super) fn multiply(&self, a: &[u8], b: &[u8], c: &mut [u8]) {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            if HasAvx512F::detect().is_some() {
                return self.run(avx512::small_f32, a, b, c);
            }
            if HasFma::detect().is_some() {
                return self.run(avx2::small_f32, a, b, c);
            }
        }
        self.run(portable::small_f32, a, b, c);
    }

    /// Every function that this CPU can run.
    #[cfg(test)]
    pub(super) fn each(mut with: impl FnMut(SmallFn)) {
        with(portable::small_f32);
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            HasFma::detect().into_iter().for_each(|_| with(avx2::small_f32));
            HasAvx512F::detect().into_iter().for_each(|_| with(avx512::small_f32));
        }
    }

    /// [`Small::multiply`] by a function whose instructions the CPU has.
    #[inline]
    pub(super) fn run(&self, function: SmallFn, a: &[u8], b: &[u8], c: &mut [u8]) {
        let (a, b, c) = (a.as_chunks().0, b.as_chunks().0, c.as_chunks_mut().0);
        // SAFETY: whoever names a function has proof that the CPU has what it needs; the function checks the lengths.
        unsafe { function(self, a, b, c) }
    }

    /// The product in blocks of `ROWS` rows and two vectors, with narrower and lower ones at the edges.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    pub(super) fn by_blocks<S: Dot + FirstLanes, const ROWS: usize>(
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
            spans(a.len(), rows, depth, a_stride)
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
            let mut row = 0;
            while row < rows {
                let high = rows - row;
                let block = Block {
                    depth,
                    strides: self.strides,
                    a: a.wrapping_add(row * a_stride),
                    b: b.wrapping_add(column),
                    c: c.wrapping_add(row * c_stride + column),
                };
                // SAFETY: the rows and columns of the block are in the matrices, whose lengths are asserted.
                row += unsafe {
                    if wide > S::LANES {
                        block.run_rows::<S, ROWS, 2>(simd, mask, high)
                    } else {
                        block.run_rows::<S, ROWS, 1>(simd, mask, high)
                    }
                };
            }
            column += wide;
        }
    }
}

/// How far apart the rows of a matrix of `f32` are, if it is small and each row is in one tile.
const fn stride(spec: &TiledSpec) -> Option<usize> {
    let (DType::F32, Some(grid), [rows, columns]) = (spec.dtype(), Grid::of(spec, 1), spec.dims())
    else {
        return None;
    };
    let small = *rows <= MOST && *columns <= MOST && grid.width <= 2 * MOST;
    // With one tile beside another, none of a row is in the next.
    if small && *columns <= grid.width && spec.draft().bounded == 0 {
        Some(grid.width)
    } else {
        None
    }
}

/// Writes zeros to what is right of and below some rows and columns, unless all of it is zero: reading takes half as long as
/// writing, and a result that is written again and again keeps its padding.
#[inline(always)]
fn clear_padding<S: FirstLanes>(
    simd: S,
    c: &mut [Word],
    rows: usize,
    columns: usize,
    stride: usize,
) {
    let (rows, below) = c.split_at_mut(c.len().min(rows * stride));
    let mut set = bits_of(simd, below, simd.splat(0));
    for row in rows.chunks_exact(stride) {
        set = bits_of(simd, &row[columns..], set);
    }
    if !simd.is_zero(set) {
        for row in rows.chunks_exact_mut(stride) {
            row[columns..].fill(Word::default());
        }
        below.fill(Word::default());
    }
}

/// The bits that are set in some words, or in `set`.
#[inline(always)]
fn bits_of<S: FirstLanes>(simd: S, words: &[Word], mut set: S::Vector) -> S::Vector {
    let mut vectors = words.chunks_exact(S::LANES);
    for vector in &mut vectors {
        // SAFETY: these are the words of a vector.
        set = simd.or(set, unsafe { simd.load(vector.as_ptr()) });
    }
    let rest = vectors.remainder();
    // SAFETY: the mask has as many words as there are.
    simd.or(set, unsafe { simd.load_first(simd.first(rest.len()), rest.as_ptr()) })
}

/// What small products need of vectors: to read and write only their first words, and to find padding that is not zero.
pub(super) trait FirstLanes: Vectors {
    /// Which words.
    type Mask: Copy;

    /// The bits that are set in one or the other.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Whether no bit is set.
    fn is_zero(self, words: Self::Vector) -> bool;
    /// The first `count` words, at most [`Vectors::LANES`].
    fn first(self, count: usize) -> Self::Mask;
    /// The words of the mask; the others are zero.
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

/// Some rows and columns of the product, which start at these addresses.
struct Block {
    depth: usize,
    strides: [usize; 3],
    a: *const Word,
    b: *const Word,
    c: *mut Word,
}

impl Block {
    /// Computes `ROWS` rows, or only `high` where there are fewer; see [`Block::run`].
    ///
    /// # Safety
    /// As [`Block::run`].
    #[inline(always)]
    unsafe fn run_rows<S: Dot + FirstLanes, const ROWS: usize, const VECTORS: usize>(
        self,
        simd: S,
        mask: S::Mask,
        high: usize,
    ) -> usize {
        // SAFETY: as the caller promises.
        unsafe {
            match high {
                1 => self.run::<S, 1, VECTORS>(simd, mask),
                2..4 => self.run::<S, 2, VECTORS>(simd, mask),
                _ if high < ROWS || ROWS == 4 => self.run::<S, 4, VECTORS>(simd, mask),
                _ => self.run::<S, ROWS, VECTORS>(simd, mask),
            }
        }
    }

    /// Computes `ROWS` rows of `VECTORS` vectors, the last of which has only the words of the mask in the product. Returns
    /// the number of rows.
    ///
    /// # Safety
    /// All of it must be in the matrices.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "see below")]
    unsafe fn run<S: Dot + FirstLanes, const ROWS: usize, const VECTORS: usize>(
        self,
        simd: S,
        mask: S::Mask,
    ) -> usize {
        let Self { depth, strides: [a_stride, b_stride, c_stride], a, mut b, c } = self;
        let mut sums = [[simd.splat(0); VECTORS]; ROWS];
        // Loops over indices: arrays that are iterated by value go through memory.
        for step in 0..depth {
            let mut words = [simd.splat(0); VECTORS];
            for j in 0..VECTORS {
                let from = b.wrapping_add(j * S::LANES);
                // SAFETY: the caller promises the columns, of the last vector those of the mask.
                words[j] = unsafe {
                    if j + 1 < VECTORS { simd.load(from) } else { simd.load_first(mask, from) }
                };
            }
            for i in 0..ROWS {
                // SAFETY: the caller promises the rows.
                let factor = unsafe { *a.wrapping_add(i * a_stride + step) };
                let factor = simd.splat(u32::from_le_bytes(factor));
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
