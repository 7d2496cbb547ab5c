//! Sums as elements of the result: each is finished and rounded once, while it is in a cache.
#![allow(unsafe_code, reason = "threads write to parts of one array")]

use super::decode::{Decode, Table};
use super::epilogue::InBatch;
use super::grid::{Grid, Word};
use crate::cpu::{Cpu, Instructions, for_cpu};
use crate::element::narrow_f8e4m3fn;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Range};
use layout_core::dtype::DType;
use layout_core::dtype::float::{
    bf16_from_f64, f16_from_f64, narrow_bf16, narrow_f16, round_to_odd,
};
use layout_core::tiled::TiledSpec;
use microfloat::*;

/// The number of values that are finished together.
const CHUNK: usize = 128;

/// The type in which the sums of a product are finished.
pub trait Number:
    Copy + Default + From<f32> + Into<f64> + Add<Output = Self> + Mul<Output = Self> + Sync + 'static
{
    /// The number with these bits in a type: `f32`, `f64` or `s32`. That of a sum is exact.
    fn of_bits(bits: u64, dtype: DType) -> Self;
    /// Rounds numbers to elements of a type of 1 to 8 bytes, and calls `write` with the bytes of each.
    fn encode(numbers: &[Self], dtype: DType, write: impl FnMut(usize, &[u8]));
    /// The numbers, if they are of this type.
    fn as_f32(numbers: &[Self]) -> Option<&[f32]>;
}

impl Number for f32 {
    #[inline(always)]
    fn of_bits(bits: u64, dtype: DType) -> Self {
        match dtype {
            DType::S32 => (bits as i32) as Self,
            DType::F64 => f64::from_bits(bits) as Self,
            _ => Self::from_bits(bits as u32),
        }
    }

    #[inline(always)]
    fn encode(numbers: &[Self], dtype: DType, write: impl FnMut(usize, &[u8])) {
        encode(
            numbers,
            dtype,
            [|x| x, |x| x],
            |x| narrow_bf16(x).to_bits(),
            |x| narrow_f16(x).to_bits(),
            write,
        );
    }

    #[inline(always)]
    fn as_f32(numbers: &[Self]) -> Option<&[f32]> {
        Some(numbers)
    }
}

/// Sums in `f64` or `s32`, each of which is exactly such a number.
impl Number for f64 {
    #[inline(always)]
    fn of_bits(bits: u64, dtype: DType) -> Self {
        match dtype {
            DType::S32 => (bits as i32).into(),
            DType::F64 => Self::from_bits(bits),
            _ => f32::from_bits(bits as u32).into(),
        }
    }

    #[inline(always)]
    fn encode(numbers: &[Self], dtype: DType, write: impl FnMut(usize, &[u8])) {
        encode(
            numbers,
            dtype,
            [|x| x as f32, round_to_odd],
            |x| bf16_from_f64(x).to_bits(),
            |x| f16_from_f64(x).to_bits(),
            write,
        );
    }

    #[inline(always)]
    fn as_f32(_: &[Self]) -> Option<&[f32]> {
        None
    }
}

/// [`Number::encode`], with the functions that differ between types: the nearest `f32`, a number of fewer bits that rounds in
/// the same way, and the bits of the nearest `bf16` and `f16`.
#[inline(always)]
fn encode<N: Copy + Into<f64>>(
    numbers: &[N],
    dtype: DType,
    [near, odd]: [fn(N) -> f32; 2],
    narrow_bf16: impl Fn(N) -> u16,
    narrow_f16: impl Fn(N) -> u16,
    mut write: impl FnMut(usize, &[u8]),
) {
    let numbers = numbers.iter().copied().enumerate();
    macro_rules! types {
        ($($Marker:ident $x:ident => $bytes:expr;)*) => {
            match dtype {
                $(DType::$Marker => numbers.for_each(|(i, $x)| write(i, &$bytes)),)*
                _ => unreachable!("the result of a product is one of these types"),
            }
        };
    }
    // Casts to integers saturate, and convert a NaN to zero.
    let integer = |x: N| nearest_integer(x.into());
    types! {
        F64 x => x.into().to_le_bytes();
        F32 x => near(x).to_le_bytes();
        BF16 x => narrow_bf16(x).to_le_bytes();
        F16 x => narrow_f16(x).to_le_bytes();
        S32 x => (integer(x) as i32).to_le_bytes();
        S8 x => (integer(x) as i8).to_le_bytes();
        U8 x => (integer(x) as u8).to_le_bytes();
        S4 x => (integer(x) as i8).clamp(-8, 7).to_le_bytes();
        U4 x => (integer(x) as u8).min(15).to_le_bytes();
        F8E5M2 x => [f8e5m2::from_f32(odd(x)).to_bits()];
        F8E4M3 x => [f8e4m3::from_f32(odd(x)).to_bits()];
        F8E4M3FN x => [narrow_f8e4m3fn(odd(x)).to_bits()];
        F8E4M3B11FNUZ x => [f8e4m3b11fnuz::from_f32(odd(x)).to_bits()];
        F8E3M4 x => [f8e3m4::from_f32(odd(x)).to_bits()];
        F8E5M2FNUZ x => [f8e5m2fnuz::from_f32(odd(x)).to_bits()];
        F8E4M3FNUZ x => [f8e4m3fnuz::from_f32(odd(x)).to_bits()];
    }
}

/// The nearest integer to a number, with ties to even, if the number is nearer to zero than 2^33; others keep that distance.
#[inline(always)]
fn nearest_integer(x: f64) -> f64 {
    // In the numbers near this one, the last bit is worth 1, so adding it rounds. 2.5 + 1.5 * 2^52 rounds to 2 + 1.5 * 2^52,
    // and subtracting it again gives 2.
    const ONES: f64 = (1_u64 << 52) as f64 * 1.5;
    const LIMIT: f64 = (1_u64 << 33) as f64;
    x.clamp(-LIMIT, LIMIT) + ONES - ONES
}

/// The type to which the elements of a result or an addend are converted when they are read: `f32`, or their own type if it is
/// wider or an integer of 32 bits.
pub(super) const fn number_type(dtype: DType) -> DType {
    match dtype {
        DType::S32 | DType::F64 => dtype,
        _ => DType::F32,
    }
}

/// What happens to the sums in a part of the result once they contain all their products.
pub(super) trait Finish: Sync {
    /// Finishes the sums of some rows and columns of words. They start at `sums`, in rows `stride` words apart.
    ///
    /// # Safety
    /// No other call, on any thread, may be for any of these elements at the same time.
    unsafe fn finish(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        sums: &[Word],
        stride: usize,
    );
}

/// The result of a product: a matrix in memory to which threads write different elements.
pub(super) struct Output<'a, N> {
    grid: Grid,
    /// The number of rows whose elements are one above the other in storage.
    stack: usize,
    /// The bytes of an element.
    size: usize,
    dtype: DType,
    /// The type of the sums.
    sum: DType,
    /// If the product is added to the old elements, the factor of these and how they are read.
    adds: Option<(f32, Decode<'a>, DType)>,
    epilogue: Option<InBatch<'a, N>>,
    bytes: *mut u8,
    len: usize,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: the bytes are borrowed mutably while the value exists. Each call of `finish` reads and writes only the elements
// of its rows and columns, and its callers promise that no other call does.
unsafe impl<N> Sync for Output<'_, N> {}

impl<'a, N: Number> Output<'a, N> {
    /// The packed array, whose padding must have been written; `None` if its elements are in an order that this module cannot
    /// write.
    pub(super) fn of(
        spec: &TiledSpec,
        bytes: &'a mut [u8],
        sum: DType,
        adds: Option<(f32, &'a mut Option<Table>)>,
        epilogue: Option<InBatch<'a, N>>,
    ) -> Option<Self> {
        let (grid, stack) = Grid::stacked(spec)?;
        let (size, dtype) = (spec.dtype().byte_width(), spec.dtype());
        let (bytes, len) = (bytes.as_mut_ptr(), bytes.len());
        let wide = number_type(dtype);
        let adds = adds.map(|(scale, table)| (scale, Decode::of(dtype, wide, table), wide));
        Some(Self {
            grid,
            stack,
            size,
            dtype,
            sum,
            adds,
            epilogue,
            bytes,
            len,
            memory: PhantomData,
        })
    }
}

impl<N: Number> Output<'_, N> {
    /// The position of the first of `run` elements of a row that are in one tile, in elements.
    ///
    /// In `bf16[8,256]{1,0:T(8,128)(2,1)}`, a word has the elements of two rows, and tiles are 4 x 128 words. Element `[5, 130]` is
    /// the second one of word (1 * 4 + 2) * 128 + 2 = 770, at position 770 * 2 + 1 = 1541.
    ///
    /// # Panics
    /// If one of them is not in the array.
    fn position(&self, row: usize, column: usize, run: usize) -> usize {
        let first = self.grid.offset(row / self.stack, column) * self.stack + row % self.stack;
        assert!((first + (run - 1) * self.stack + 1) * self.size <= self.len);
        first
    }

    /// Finishes the sums of some columns of a row, as far as the tile reaches, up to the rounding.
    ///
    /// # Safety
    /// As for [`Finish::finish`].
    unsafe fn compute(&self, row: usize, column: usize, sums: &[Word], numbers: &mut [N]) {
        let Self { sum: sum_type, stack, size, .. } = *self;
        if sum_type.byte_width() == 8 {
            for (number, sum) in numbers.iter_mut().zip(sums.as_flattened().as_chunks().0) {
                *number = N::of_bits(u64::from_le_bytes(*sum), sum_type);
            }
        } else {
            for (number, sum) in numbers.iter_mut().zip(sums) {
                *number = N::of_bits(u32::from_le_bytes(*sum).into(), sum_type);
            }
        }
        if let Some((epilogue, matrix)) = self.epilogue {
            epilogue.apply(matrix, row, column, numbers);
        }
        if let Some((scale, decode, wide)) = self.adds {
            let run = numbers.len();
            let first = self.position(row, column, run);
            let (mut stored, mut decoded) = ([0; CHUNK * 8], [0; CHUNK * 8]);
            for (i, element) in stored.chunks_exact_mut(size).take(run).enumerate() {
                // SAFETY: the elements of the run are in the array, as asserted, and the caller promises that no other thread
                // writes to them.
                unsafe {
                    let from = self.bytes.add((first + i * stack) * size);
                    core::ptr::copy_nonoverlapping(from, element.as_mut_ptr(), size);
                }
            }
            let width = wide.byte_width();
            decode.read(&stored, 1, run, width, &mut decoded);
            for (number, element) in numbers.iter_mut().zip(decoded.chunks_exact(width)) {
                let mut bits = [0; 8];
                bits[..width].copy_from_slice(element);
                let before = N::of_bits(u64::from_le_bytes(bits), wide);
                *number = *number + before * scale.into();
            }
        }
        if let Some((epilogue, matrix)) = self.epilogue {
            epilogue.note(matrix, row, numbers);
        }
    }

    /// Rounds some columns of a row, and writes them.
    ///
    /// # Safety
    /// As for [`Finish::finish`].
    unsafe fn write(&self, row: usize, column: usize, numbers: &[N]) {
        let Self { stack, size, dtype, .. } = *self;
        let first = self.position(row, column, numbers.len());
        N::encode(numbers, dtype, |i, element| {
            assert!(element.len() == size);
            // SAFETY: the elements of the run are in the array, as asserted, and the caller promises that no other thread reads or
            // writes them.
            unsafe {
                let to = self.bytes.add((first + i * stack) * size);
                core::ptr::copy_nonoverlapping(element.as_ptr(), to, element.len());
            }
        });
    }

    /// [`write`](Self::write) for two rows that are one above the other in words of two `bf16`. Returns `false`, and writes nothing,
    /// if they are not, or if numbers are not rounded in this way.
    ///
    /// # Safety
    /// As for [`Finish::finish`].
    unsafe fn write_pair(&self, row: usize, column: usize, [a, b]: [&[N]; 2]) -> bool {
        let (Some(a), Some(b)) = (N::as_f32(a), N::as_f32(b)) else { return false };
        if self.stack != 2 || self.dtype != DType::BF16 || !row.is_multiple_of(2) {
            return false;
        }
        // SAFETY: the caller promises the same.
        unsafe { self.write_words(row, column, [a, b]) };
        true
    }

    /// Rounds sums that are only rounded to `bf16`, as far as the tile reaches, and writes them: one row, or two rows that share words.
    /// Returns `false`, and writes nothing, if anything else is done with them.
    ///
    /// # Safety
    /// As for [`Finish::finish`].
    unsafe fn round(&self, row: usize, column: usize, a: &[Word], b: Option<&[Word]>) -> bool {
        let is_only_rounded = self.epilogue.is_none() && self.adds.is_none();
        if !is_only_rounded || self.sum != DType::F32 || self.dtype != DType::BF16 {
            return false;
        }
        match b {
            // SAFETY: the caller promises the same.
            Some(b) => unsafe { self.write_words(row, column, [a, b]) },
            None if self.stack == 1 => {
                let first = self.position(row, column, a.len());
                // SAFETY: the elements of the run are in the array, as asserted, and the caller promises that no other thread reads
                // or writes them.
                let to = unsafe {
                    let to = self.bytes.cast::<[u8; 2]>().add(first);
                    core::slice::from_raw_parts_mut(to, a.len())
                };
                for_cpu!(Cpu::detect(), round_row(a: &[Word], to: &mut [[u8; 2]]));
            }
            None => return false,
        }
        true
    }

    /// Writes two rows of numbers as words of two `bf16`.
    ///
    /// # Safety
    /// As for [`Finish::finish`].
    unsafe fn write_words<T: Single>(&self, row: usize, column: usize, [a, b]: [&[T]; 2]) {
        let run = a.len();
        let first = self.position(row, column, run) / 2;
        assert!((first + run) * size_of::<Word>() <= self.len);
        // SAFETY: the words of the run are in the array, as asserted, and consist of elements of these two rows, which the caller
        // promises that no other thread reads or writes.
        let words =
            unsafe { core::slice::from_raw_parts_mut(self.bytes.cast::<Word>().add(first), run) };
        for_cpu!(Cpu::detect(), round_pairs<T: Single>(a: &[T], b: &[T], words: &mut [Word]));
    }
}

/// A number of 32 bits.
trait Single: Copy {
    fn number(self) -> f32;
}

impl Single for f32 {
    #[inline(always)]
    fn number(self) -> f32 {
        self
    }
}

impl Single for Word {
    #[inline(always)]
    fn number(self) -> f32 {
        f32::from_le_bytes(self)
    }
}

/// Writes words of two numbers each, rounded to `bf16`.
#[inline(always)]
fn round_pairs<I: Instructions, T: Single>(_: I, a: &[T], b: &[T], words: &mut [Word]) {
    let bits = |x: &T| u32::from(narrow_bf16(x.number()).to_bits());
    for ((word, a), b) in words.iter_mut().zip(a).zip(b) {
        *word = (bits(a) | bits(b) << 16).to_le_bytes();
    }
}

/// Writes numbers, rounded to `bf16`.
#[inline(always)]
fn round_row<I: Instructions>(_: I, sums: &[Word], to: &mut [[u8; 2]]) {
    for (to, sum) in to.iter_mut().zip(sums) {
        *to = narrow_bf16(sum.number()).to_bits().to_le_bytes();
    }
}

impl<N: Number> Finish for Output<'_, N> {
    unsafe fn finish(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        sums: &[Word],
        stride: usize,
    ) {
        let each = self.sum.byte_width() / 4;
        let columns = columns.start / each..columns.end / each;
        let mut row = rows.start;
        while row < rows.end {
            // Two rows at a time, if they share words.
            let count =
                if self.stack == 2 && row.is_multiple_of(2) { 2.min(rows.end - row) } else { 1 };
            let mut column = columns.start;
            while column < columns.end {
                let run = self.grid.run(column, columns.end - column).min(CHUNK);
                let part = |i: usize| {
                    let sums = &sums[(row + i - rows.start) * stride..];
                    &sums[(column - columns.start) * each..][..run * each]
                };
                // SAFETY: the caller promises the same.
                if unsafe { self.round(row, column, part(0), (count == 2).then(|| part(1))) } {
                    column += run;
                    continue;
                }
                let mut numbers = [[N::default(); CHUNK]; 2];
                let mut numbers = numbers.each_mut().map(|numbers| &mut numbers[..run]);
                for (i, numbers) in numbers.iter_mut().enumerate().take(count) {
                    // SAFETY: the caller promises the same.
                    unsafe { self.compute(row + i, column, part(i), numbers) };
                }
                let [a, b] = &numbers;
                // SAFETY: as above.
                if count == 1 || unsafe { !self.write_pair(row, column, [a, b]) } {
                    for (i, numbers) in numbers.iter().enumerate().take(count) {
                        // SAFETY: as above.
                        unsafe { self.write(row + i, column, numbers) };
                    }
                }
                column += run;
            }
            row += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::nearest_integer;

    #[test]
    fn integers_are_rounded_to_nearest_ties_to_even() {
        let numbers = [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, 127.5, -128.5, 2147483647.5, 1e9 + 0.25];
        for x in numbers {
            assert_eq!(nearest_integer(x), x.round_ties_even(), "{x}");
        }
        assert!(nearest_integer(f64::NAN).is_nan());
        let far = [f64::INFINITY, 1e300, f64::NEG_INFINITY].map(|x| nearest_integer(x) as i32);
        assert_eq!(far, [i32::MAX, i32::MAX, i32::MIN]);
    }
}
