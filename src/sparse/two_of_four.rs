//! Products of activations and weights that store two of every four values.
//!
//! `5 0 0 7` is stored as the values 5 and 7 and the coordinates 0 and 3, of two bits each: `0b1100`.
#![allow(unsafe_code, reason = "the inner loops read rows by address")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod few_rows;
#[cfg(test)]
mod tests;

use super::formats::TwoOfFour;
use super::tensor::SparseTensor;
use crate::element::HostValue;
use crate::movement::host::zeroed;
use crate::quantized::expanded::{NoMemory, Weights as Expanded};
use alloc::vec::Vec;
use core::ops::Range;
use half::bf16;
use layout_core::dtype::float::widen_bf16;

/// The number of bytes of weights that stay in a cache while all activations are multiplied by them.
const STRIP: usize = 1 << 16;

/// The number of rows of activations from which it is faster to expand weights, on CPUs with AVX2. Measured on Zen 3.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
const EXPANDED: usize = if cfg!(test) { 12 } else { 512 };

/// The number of products from which threads share the rows of weights.
#[cfg(feature = "parallel")]
const PARALLEL: usize = if cfg!(test) { 1 } else { 1 << 18 };

/// The reason why activations and [`TwoOfFour`](type@TwoOfFour) weights cannot be multiplied.
///
/// ```
/// use tensor_layout::half::bf16;
/// use tensor_layout::sparse::{SparseTensor, TwoOfFourError, formats::TwoOfFour};
/// let weights = SparseTensor::<TwoOfFour, bf16>::from_dense([1, 8], &[bf16::ZERO; 8])?;
/// let error = weights.matmul(&[bf16::ONE; 9]).unwrap_err();
/// assert_eq!(error, TwoOfFourError::Activations { actual: 9, columns: 8 });
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum TwoOfFourError {
    /// The activations are not whole rows.
    #[error("{actual} activations are not rows of {columns}, the columns of the weights")]
    Activations { actual: usize, columns: usize },
    /// The result has the wrong length.
    #[error("the result has {actual} elements, but the product has {expected}")]
    ResultLength { actual: usize, expected: usize },
    /// Memory for an array cannot be allocated.
    #[error("cannot allocate {bytes} bytes")]
    OutOfMemory { bytes: usize },
}

/// Whether no element is infinite or a NaN: then its products with zeros are zeros. All elements are read, because a loop that ends early
/// reads them one by one.
pub(super) fn are_finite(elements: &[bf16]) -> bool {
    let magnitudes = elements.iter().map(|element| element.to_bits() & !bf16::NEG_ZERO.to_bits());
    magnitudes.fold(0, u16::max) < bf16::INFINITY.to_bits()
}

impl SparseTensor<TwoOfFour, bf16> {
    /// `x` times the transposed weights, in row-major order: `M` x `N`, for `M` rows of activations and `N` rows of weights.
    /// See [`SparseTensor::matmul_into`].
    ///
    /// # Errors
    /// If the length of `x` is not a multiple of the number of columns of the weights, or if memory cannot be allocated.
    pub fn matmul(&self, x: &[bf16]) -> Result<Vec<f32>, TwoOfFourError> {
        let len = self.activations(x)?.checked_mul(self.shape()[0]);
        let mut y = memory::<f32>(len.unwrap_or(usize::MAX))?;
        self.matmul_into(x, &mut y)?;
        Ok(y)
    }

    /// [`SparseTensor::matmul`] into a slice: `y[m, n]` is the sum over `k` of `x[m, k] * w[n, k]`. If the number of columns is a
    /// multiple of 8, one row is multiplied at nearly the speed of reading the weights, which take 9 bits each instead of 16, on CPUs
    /// with AVX2, or whose AVX-512 has dot products of `bf16` and expands words by a mask.
    ///
    /// Products are exact, and sums are `f32`. With `K` columns, the result differs from the exact sum of products by at most
    /// `(K / 32 + 9) * 2^-24` times the sum of their magnitudes; with six or more rows of activations and such AVX-512, 512 or more
    /// and AVX2, or two or more on other CPUs or with another number of columns, by at most `(K + 9) * 2^-24` times that sum. Both
    /// hold if nothing overflows or is subnormal. If a row ends within a group of four elements, the missing elements count as zeros.
    /// An infinity or a NaN among the activations is multiplied only by values that are stored.
    ///
    /// With the feature `parallel`, the threads of rayon's current pool share the rows of weights.
    ///
    /// ```
    /// use tensor_layout::half::bf16;
    /// use tensor_layout::sparse::{SparseTensor, formats::TwoOfFour};
    ///
    /// let weights = [1.0, -4.0, 2.0, 3.0, 0.0, 0.0, 5.0, 0.0].map(bf16::from_f32);
    /// let weights = SparseTensor::<TwoOfFour, bf16>::from_dense_pruned([1, 8], &weights)?;
    /// assert_eq!(weights.bytes(), 4 * 2 + 1);                        // four values, and their positions in two bits each
    /// let x = [1.0, 10.0, 100.0, 1000.0, 1.0, 1.0, 2.0, 1.0].map(bf16::from_f32);
    /// assert_eq!(weights.matmul(&x).unwrap(), [3000.0 - 40.0 + 10.0]);
    /// # Ok::<(), tensor_layout::sparse::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the length of `x` is not a multiple of the number of columns of the weights, if `y` does not have one element for each
    /// row of `x` and each row of weights, or if memory for a copy of `x` and for sums cannot be allocated.
    pub fn matmul_into(&self, x: &[bf16], y: &mut [f32]) -> Result<(), TwoOfFourError> {
        let (m, [n, columns]) = (self.activations(x)?, self.shape());
        if m.checked_mul(n) != Some(y.len()) {
            let (actual, expected) = (y.len(), m.saturating_mul(n));
            return Err(TwoOfFourError::ResultLength { actual, expected });
        }
        if y.is_empty() {
            return Ok(());
        }
        let weights =
            Weights { coordinates: self.coordinates(2), values: self.values(), rows: n, columns };
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        if let Some(done) = weights.by_vectors(x, y) {
            return done;
        }
        if m > 1 && are_finite(x) {
            return weights.expanded(x, y);
        }
        weights.plain(x, y)
    }

    /// The number of rows of activations.
    fn activations(&self, x: &[bf16]) -> Result<usize, TwoOfFourError> {
        let (actual, [_, columns]) = (x.len(), self.shape());
        match columns {
            0 if x.is_empty() => Ok(0),
            0 => Err(TwoOfFourError::Activations { actual, columns }),
            _ if !actual.is_multiple_of(columns) => {
                Err(TwoOfFourError::Activations { actual, columns })
            }
            _ => Ok(actual / columns),
        }
    }
}

/// The arrays of weights.
#[derive(Clone, Copy)]
struct Weights<'a> {
    coordinates: &'a [u8],
    values: &'a [bf16],
    rows: usize,
    columns: usize,
}

impl Weights<'_> {
    /// The number of rows of weights that are multiplied together.
    fn strip(&self) -> usize {
        // Four columns take 4.5 bytes: two values of two bytes, and half a byte of coordinates. Eight columns take 9.
        (STRIP / (self.columns / 8 * 9).max(1)).max(1)
    }

    /// The coordinates and the values of `count` rows, from row `first` on, each of which begins with a byte of coordinates.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    fn some_rows(&self, first: usize, count: usize) -> (&[u8], &[bf16]) {
        let of = |elements: usize| {
            first * self.columns / elements..(first + count) * self.columns / elements
        };
        (&self.coordinates[of(8)], &self.values[of(2)])
    }

    /// The positions and values that a group of four elements stores.
    #[inline(always)]
    fn group(&self, at: usize) -> [(usize, f32); 2] {
        // The coordinates of a group take half a byte.
        let positions = usize::from(self.coordinates[at / 2] >> (at % 2 * 4));
        let [a, b] = [self.values[2 * at], self.values[2 * at + 1]].map(widen_bf16);
        [(positions & 3, a), (positions >> 2 & 3, b)]
    }

    /// The four elements of a group, in vectors: storing two numbers at positions that depend on the coordinates takes several times as
    /// long.
    #[inline(always)]
    fn four(&self, at: usize) -> [f32; 4] {
        let [(i, a), (j, b)] = self.group(at);
        core::array::from_fn(|position| {
            let [a, b] = [(i, a), (j, b)].map(|(at, x)| if at == position { x } else { 0.0 });
            a + b
        })
    }

    /// The product by AVX-512 or AVX2, if the CPU has the instructions, each row begins with a byte of coordinates, and it is not faster
    /// to expand the weights.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    fn by_vectors(&self, x: &[bf16], y: &mut [f32]) -> Option<Result<(), TwoOfFourError>> {
        use crate::cpu::Cpu;
        let cpu = Cpu::detect();
        if !self.columns.is_multiple_of(8) {
            return None;
        }
        let is_finite = are_finite(x);
        if let Cpu::Avx512(has) = cpu
            && is_finite
            && let Some(done) = avx512::product(has, self, x, y)
        {
            return Some(done);
        }
        if is_finite && x.len() / self.columns >= EXPANDED
            || !matches!(cpu, Cpu::Avx2(_) | Cpu::Avx512(_))
        {
            return None;
        }
        Some(self.few_rows(avx2::few_rows()?, x, y))
    }

    /// The product, with the instructions that every CPU has.
    fn plain(&self, x: &[bf16], y: &mut [f32]) -> Result<(), TwoOfFourError> {
        let (m, groups) = (x.len() / self.columns, self.columns.div_ceil(4));
        let mut wide = memory::<f32>(m.saturating_mul(4 * groups))?;
        for (to, from) in wide.chunks_exact_mut(4 * groups).zip(x.chunks_exact(self.columns)) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = widen_bf16(*from));
        }
        let row = |row: usize, x: &[f32]| {
            let first = row * groups;
            let mut lanes = [0.0_f32; 16];
            for (number, x) in x.as_chunks::<4>().0.iter().enumerate() {
                let [(i, a), (j, b)] = self.group(first + number);
                lanes[2 * number % 16] += a * x[i];
                lanes[2 * number % 16 + 1] += b * x[j];
            }
            for half in [8, 4, 2, 1] {
                for lane in 0..half {
                    lanes[lane] += lanes[lane + half];
                }
            }
            lanes[0]
        };
        self.strips(m, y, &|first, count, y| {
            for (y, x) in y.chunks_exact_mut(count).zip(wide.chunks_exact(4 * groups)) {
                y.iter_mut().enumerate().for_each(|(number, y)| *y = row(first + number, x));
            }
        })
    }

    /// The product with weights that are expanded, zeros included.
    fn expanded(&self, x: &[bf16], y: &mut [f32]) -> Result<(), TwoOfFourError> {
        let groups = self.columns.div_ceil(4);
        let expand = |rows: Range<usize>, to: &mut [f32]| {
            for (row, to) in rows.zip(to.chunks_exact_mut(self.columns)) {
                for (number, to) in to.chunks_mut(4).enumerate() {
                    let four = self.four(row * groups + number);
                    match to.as_mut_array() {
                        Some(to) => *to = four,
                        None => to.copy_from_slice(&four[..to.len()]),
                    }
                }
            }
        };
        let weights = Expanded { rows: self.rows, columns: self.columns, expand };
        weights
            .multiply(x, widen_bf16, y)
            .map_err(|NoMemory(bytes)| TwoOfFourError::OutOfMemory { bytes })
    }

    /// Writes a product strip by strip. `compute` accepts the first row and the number of rows of weights in a strip, and writes
    /// their sums for each row of activations, one row after the other.
    fn strips(
        &self,
        m: usize,
        y: &mut [f32],
        compute: &(dyn Fn(usize, usize, &mut [f32]) + Sync),
    ) -> Result<(), TwoOfFourError> {
        let strip = self.strip();
        let all = |sums: &mut [f32]| {
            let compute = |(number, sums): (usize, &mut [f32])| {
                compute(number * strip, sums.len() / m, sums);
            };
            #[cfg(feature = "parallel")]
            if rayon::current_num_threads() > 1 && sums.len() * self.columns >= PARALLEL {
                use rayon::prelude::*;
                sums.par_chunks_mut(strip * m).enumerate().for_each(compute);
                return;
            }
            sums.chunks_mut(strip * m).enumerate().for_each(compute);
        };
        if m == 1 {
            all(y);
            return Ok(());
        }
        let mut sums = memory::<f32>(y.len())?;
        all(&mut sums);
        for (number, sums) in sums.chunks(strip * m).enumerate() {
            let count = sums.len() / m;
            for (row, sums) in sums.chunks_exact(count).enumerate() {
                y[row * self.rows + number * strip..][..count].copy_from_slice(sums);
            }
        }
        Ok(())
    }
}

fn memory<T: HostValue>(len: usize) -> Result<Vec<T>, TwoOfFourError> {
    let bytes = len.saturating_mul(size_of::<T>());
    zeroed(len).ok_or(TwoOfFourError::OutOfMemory { bytes })
}
