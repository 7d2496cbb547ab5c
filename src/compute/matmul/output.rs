//! Sums as elements of the result: each is finished and rounded once, while it is in a cache.
#![allow(unsafe_code, reason = "threads write to parts of one array")]

use super::decode::{Decode, Table};
use super::epilogue::InBatch;
use super::grid::{Grid, Word};
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
        F8E4M3FN x => [f8e4m3fn::from_f32(odd(x)).to_bits()];
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

/// The type as which the elements of a result or an addend are read: `f32`, or their own type if it is wider or an integer of
/// 32 bits.
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

// SAFETY: the bytes are borrowed mutably as long as the value exists. Each call of `finish` reads and writes only the elements
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

impl<N: Number> Finish for Output<'_, N> {
    unsafe fn finish(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        sums: &[Word],
        stride: usize,
    ) {
        let Self { grid, stack, size, dtype, sum: sum_type, .. } = *self;
        let each = sum_type.byte_width() / 4;
        let columns = columns.start / each..columns.end / each;
        for (i, row) in rows.enumerate() {
            let sums = &sums[i * stride..][..columns.len() * each];
            let mut column = columns.start;
            while column < columns.end {
                let run = grid.run(column, columns.end - column).min(CHUNK);
                let mut numbers = [N::default(); CHUNK];
                let numbers = &mut numbers[..run];
                let sums = &sums[(column - columns.start) * each..][..run * each];
                if each == 2 {
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
                let first = grid.offset(row / stack, column) * stack + row % stack;
                let last = first + (run - 1) * stack;
                assert!((last + 1) * size <= self.len);
                if let Some((scale, decode, wide)) = self.adds {
                    let (mut stored, mut decoded) = ([0; CHUNK * 8], [0; CHUNK * 8]);
                    for (i, element) in stored.chunks_exact_mut(size).take(run).enumerate() {
                        // SAFETY: the elements of the run are in the array, as asserted, and the caller promises that no other
                        // thread writes to them.
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
                N::encode(numbers, dtype, |i, element| {
                    assert!(element.len() == size);
                    // SAFETY: as above, for the bytes of one element.
                    unsafe {
                        let to = self.bytes.add((first + i * stack) * size);
                        core::ptr::copy_nonoverlapping(element.as_ptr(), to, element.len());
                    }
                });
                column += run;
            }
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
