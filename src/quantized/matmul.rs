//! Products of activations and block-scaled weights.
#![allow(unsafe_code, reason = "the inner loops read rows by address")]

use super::error::QuantizedError;
use super::expanded::{NoMemory, Weights};
use super::lanes::Tables;
use super::row_bytes::RowBytes;
use super::row_kernel::{
    Byte, E4m3, E5m2, F16, F32, GROUP, Kinds, Nibbles, Of, Pairs, Rows, S8, multiply,
};
#[cfg(feature = "parallel")]
use super::strips::PARALLEL;
use super::strips::rows_of_strip;
use super::view::DynQuantizedRef;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::{digits, many_rows, panels, s8::HasDots, words};
use crate::cpu::{Cpu, for_cpu};
use crate::element::HostValue;
use crate::movement::host::zeroed;
use crate::typed::types::Sealed;
use alloc::vec::Vec;
use core::ops::Range;
use half::{bf16, f16};
use layout_core::DType;
use layout_core::dtype::float::{widen_bf16, widen_f16};
use layout_core::quantized::{Arrangement, QuantizedSpec, element_value};

/// The number of rows of activations that are multiplied at once.
const ROWS: usize = 4;

/// The number of rows from which it is faster to expand weights, on CPUs that multiply them by groups. Measured on Zen 3.
pub(super) const EXPANDED: usize = 24;

/// A number that can be packed, or multiplied by packed weights: `f32`, `bf16` or `f16`.
///
/// ```
/// use tensor_layout::half::{bf16, f16};
/// use tensor_layout::quantized::Activation;
///
/// fn sum<T: Activation>(numbers: &[T]) -> f32 {
///     numbers.iter().map(|number| number.widen()).sum()
/// }
/// assert_eq!((sum(&[bf16::ONE; 3]), sum(&[f16::ONE; 3]), sum(&[1.0; 3])), (3.0, 3.0, 3.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "numbers of the type `{Self}` cannot be quantized or multiplied by block-scaled weights",
    label = "expected `f32`, `bf16` or `f16`",
    note = "convert them first: `values.iter().map(|x| *x as f32).collect::<Vec<_>>()`"
)]
pub trait Activation: Sealed + Copy + Send + Sync + 'static {
    /// The same number.
    fn widen(self) -> f32;

    /// The numbers, if they are `bf16`.
    #[doc(hidden)]
    fn as_bf16(_: &[Self]) -> Option<&[bf16]> {
        None
    }
}

macro_rules! activations {
    ($($T:ty: $widen:expr $(, $as_bf16:expr)?;)*) => { $(
        impl Sealed for $T {}
        #[diagnostic::do_not_recommend]
        impl Activation for $T {
            #[inline(always)]
            fn widen(self) -> f32 {
                $widen(self)
            }

            $(
                #[inline(always)]
                fn as_bf16(numbers: &[Self]) -> Option<&[bf16]> {
                    $as_bf16(numbers)
                }
            )?
        }
    )* };
}
activations! { f32: core::convert::identity; bf16: widen_bf16, Some; f16: widen_f16; }

/// Evaluates an expression with `K` as the elements and scales of a layout whose blocks are whole groups.
macro_rules! for_kinds {
    ($spec:expr, $K:ident => $value:expr, else $other:expr) => {
        for_kinds! {
            @ $spec, $K => $value, $other;
            DType::S8, DType::F16 => S8, F16;
            DType::S8, DType::F32 => S8, F32;
            DType::F8E4M3FN, DType::F8E8M0FNU => E4m3, Byte;
            DType::F8E4M3FN, DType::F16 => E4m3, F16;
            DType::F8E4M3FN, DType::F32 => E4m3, F32;
            DType::F8E5M2, DType::F8E8M0FNU => E5m2, Byte;
            DType::F8E5M2, DType::F16 => E5m2, F16;
            DType::F8E5M2, DType::F32 => E5m2, F32;
            DType::S4 | DType::F4E2M1FN, DType::F16 => Nibbles, F16;
            DType::S4 | DType::F4E2M1FN, DType::F32 => Nibbles, F32;
            DType::F4E2M1FN, DType::F8E8M0FNU | DType::F8E4M3FN => Nibbles, Byte;
        }
    };
    (@ $spec:expr, $K:ident => $value:expr, $other:expr; $($element:pat, $scale:pat => $E:ident, $C:ident;)*) => {
        match ($spec.element(), $spec.scale()) {
            $(
                ($element, $scale) => {
                    type $K = Of<$E, $C>;
                    $value
                }
            )*
            // The layout has no other types.
            _ => $other,
        }
    };
}
pub(super) use for_kinds;

/// [`for_kinds`] also for blocks of half a group, two of which are read together.
macro_rules! for_all_kinds {
    ($spec:expr, $K:ident => $value:expr, else $other:expr) => {
        if $spec.block() < GROUP {
            type $K = Of<Nibbles, Pairs>;
            $value
        } else {
            for_kinds!($spec, $K => $value, else $other)
        }
    };
}
pub(super) use for_all_kinds;

impl DynQuantizedRef<'_> {
    /// `x` times the transposed rows, in row-major order: `M` x `N`, for `M` rows of activations and `N` rows of the view.
    /// See [`DynQuantizedRef::matmul_into`].
    ///
    /// # Errors
    /// If `x` does not consist of rows of the size of the last dimension, or there is no memory.
    pub fn matmul<T: Activation>(&self, x: &[T]) -> Result<Vec<f32>, QuantizedError> {
        let rows = self.count(x)?;
        let len =
            rows.checked_mul(self.row_range().len()).ok_or_else(|| self.no_memory(usize::MAX))?;
        let mut y = self.memory::<f32>(len)?;
        self.matmul_into(x, &mut y)?;
        Ok(y)
    }

    /// [`DynQuantizedRef::matmul`] into a slice: `y[m, n]` is the sum over `k` of `x[m, k] * w[n, k]`.
    ///
    /// The numbers of the elements are exact, and sums are `f32`. The order of operations depends on the CPU and on the number of rows:
    ///
    /// | order | used for | the result differs from the exact one by at most |
    /// |---|---|---|
    /// | by groups | everything that no other row names | `(K / 32 + 9) * 2^-24 * P` |
    /// | by digits | elements of 4 bits, if the CPU has AVX-512 with dot products of bytes | `((K / 512 + 12) * P + 2 * A) * 2^-24` |
    /// | by words | floats of 8 bits, if the CPU has AVX-512 with dot products of `bf16` | `(K / 64 + 16) * 2^-24 * P` |
    /// | by blocks | six or more rows of `bf16` on the same CPUs, blocks of 32 or more elements of any type | `(B + K / B + 2) * 2^-24 * P` |
    /// | expanded | 24 or more rows for which no other row names an order | `(K + 3) * 2^-24 * P` |
    ///
    /// There are `K` elements in a row and `B` in a block; `P` is the sum of the magnitudes of all products, and `A` is the sum, over each
    /// 32 columns, of the largest magnitude of the activations times the sum of the magnitudes of the weights. The bounds hold
    /// unless a number overflows or is subnormal. Rows that are not whole groups of 32 elements are multiplied by groups or by blocks.
    ///
    /// **By groups.** 16 lanes have a sum each. Of each 32 elements, lane `l` has the two elements of byte `l` if elements have 4 bits, the
    /// one in the low bits first, and otherwise elements `l` and `l + 16`. The product of the second is rounded, and that of the first is
    /// added to it. The results of all groups of 32 in a block are added, multiplied by the scale of the block, and added to the sum of
    /// the lane. At the end, lanes 8 apart are added, then those 4, 2 and 1 apart, and the sum is multiplied by the scale of the
    /// whole array, if there is one. A block of 16 has half of the lanes of a group. With AVX-512, a product is not rounded before
    /// it is added; on all other CPUs it is, so their results are equal, bit for bit.
    ///
    /// **By digits.** If `a` is the largest magnitude of 32 activations, each of them becomes the integer nearest to `x * (85 * 65536 / a)`,
    /// with ties to even, which changes it by less than `a * 2^-22`. The instructions multiply the three bytes of these integers
    /// one after the other, so the sum of the products of 32 elements, or of 16 that have a scale, is exact. It is rounded
    /// to `f32`, multiplied by the value of the integer 1, then by the scale of the elements, and added to the sum of a lane, rounded once:
    /// of each 512 elements, lane `4 i + j` has those from `128 j + 32 i` on. With blocks of 16, lane `l` has a block of the first and one of
    /// the second 256 elements, `128 j + 32 i + 16 h` elements on, where `l` is `4 i + 2 j + h`; both have sums of their own,
    /// which are added at the end. Then lanes are added as above. If an activation is infinite or not a number, or `a / (85 * 65536)` is
    /// subnormal, all rows are multiplied by groups.
    ///
    /// **By words.** Elements become `bf16`, exactly. Of each 64, two vectors have the first and the last eight of each 16, and lane `l` of a
    /// vector has its words `2l` and `2l + 1`. The products of a lane are added, the first vector before the second one: with activations of
    /// `f32` or `f16` into two sums, one for the first words and one for the second ones, each result rounded once, and then both
    /// are added; with activations of `bf16` into one sum, the product of the second word before that of the first, each result
    /// rounded, where the instructions treat subnormal numbers as zeros. The result is multiplied by the scale of the block and added
    /// to the sum of the lane, rounded once, and lanes are added as above.
    ///
    /// **By blocks.** The pairs of a block are added one after the other. The sum is multiplied by the scale of the block and added to
    /// the sum of the blocks before it, rounded once. CPUs with AMX compute whole groups of 16 rows, if a block has whole groups of 32
    /// elements: of each group, the products of the first elements of the pairs are added one after the other, and those of the second
    /// ones; both sums are added, and the result to that of the groups before it.
    ///
    /// **Expanded.** An element is multiplied by its scale, then by that of the whole array, each result rounded to `f32`. These numbers
    /// are multiplied as [`matmul`](crate::matmul) does.
    ///
    /// With the feature `parallel`, the threads of rayon's current pool share the rows of weights.
    ///
    /// # Errors
    /// If `x` does not consist of rows of the size of the last dimension, `y` does not have one element for each of them and
    /// each row of weights, or there is no memory for a copy of `x` and for sums.
    pub fn matmul_into<T: Activation>(&self, x: &[T], y: &mut [f32]) -> Result<(), QuantizedError> {
        let (columns, m) = (self.spec().columns(), self.checked(x, y)?);
        if y.is_empty() {
            return Ok(());
        }
        let cpu = Cpu::detect();
        if let Some(done) = self.by_tables(cpu, x, y) {
            return done;
        }
        if m >= EXPANDED {
            return self.expanded(x, y);
        }
        // The activations as whole groups, in the order in which the loops read them.
        let width = columns.next_multiple_of(GROUP);
        let len = m.checked_mul(width).ok_or_else(|| self.no_memory(usize::MAX))?;
        let mut ordered = self.memory::<f32>(len)?;
        self.order(x, width, &mut ordered, T::widen);
        let product =
            Product { cpu, weights: self, x: &ordered, width, tables: &tables(self.spec()) };
        if m == 1 {
            return product.all(y);
        }
        // The loops write the sums of each row of weights one after the other.
        let mut sums = self.memory::<f32>(y.len())?;
        product.all(&mut sums)?;
        for (n, sums) in sums.chunks_exact(m).enumerate() {
            for (y, sum) in y[n..].iter_mut().step_by(self.row_range().len()).zip(sums) {
                *y = *sum;
            }
        }
        Ok(())
    }

    /// Writes the product with weights that are expanded.
    fn expanded<T: Activation>(&self, x: &[T], y: &mut [f32]) -> Result<(), QuantizedError> {
        let expand = |rows: Range<usize>, to: &mut [f32]| {
            self.rows(rows).unpack_into(to).expect("the rows have this many numbers");
        };
        let (rows, columns) = (self.row_range().len(), self.spec().columns());
        let weights = Weights { rows, columns, expand };
        weights.multiply(x, T::widen, y).map_err(|NoMemory(bytes)| self.no_memory(bytes))
    }

    /// Writes the product, if this CPU has instructions for small integers or `bf16`.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    fn by_tables<T: Activation>(
        &self,
        cpu: Cpu,
        x: &[T],
        y: &mut [f32],
    ) -> Option<Result<(), QuantizedError>> {
        let (spec, width) = (self.spec(), self.spec().columns());
        let Cpu::Avx512(avx512) = cpu else { return None };
        let (has, narrow) = (panels::Has::detect(avx512), T::as_bf16(x));
        if let (Some(has), Some(x)) = (has, narrow)
            && x.len() >= panels::FROM * width
            && spec.block() >= GROUP
        {
            return Some(self.memory::<bf16>(x.len()).and_then(|mut ordered| {
                self.order(x, width, &mut ordered, |x| x);
                let tables = &tables(spec);
                for_kinds!(spec, K => many_rows::product::<K>(has, self, &ordered, tables, y), else Ok(()))
            }));
        }
        // Converting integers of 8 bits takes longer than multiplying in `f32`.
        if spec.element() == DType::S8 || !width.is_multiple_of(GROUP) {
            return None;
        }
        if spec.element().bits() == 4 {
            return digits::product(HasDots::detect(avx512)?, self, x, y);
        }
        let has = has?;
        Some(match narrow {
            Some(x) => words::product(has, self, x, |x| x, y),
            None => words::product(has, self, x, T::widen, y),
        })
    }

    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    fn by_tables<T: Activation>(
        &self,
        _: Cpu,
        _: &[T],
        _: &mut [f32],
    ) -> Option<Result<(), QuantizedError>> {
        None
    }

    /// The number of rows of activations whose products `y` has.
    pub(super) fn checked<T>(&self, x: &[T], y: &[f32]) -> Result<usize, QuantizedError> {
        let (m, n) = (self.count(x)?, self.row_range().len());
        if m.checked_mul(n) != Some(y.len()) {
            let (actual, expected) = (y.len(), m.saturating_mul(n));
            let layout = (*self.spec()).into();
            return Err(QuantizedError::ResultLength { actual, expected, layout });
        }
        Ok(m)
    }

    /// The rows of activations.
    pub(super) fn count<T>(&self, x: &[T]) -> Result<usize, QuantizedError> {
        let columns = self.spec().columns();
        if columns == 0 && x.is_empty() {
            return Ok(0);
        }
        if columns == 0 || !x.len().is_multiple_of(columns) {
            let (actual, layout) = (x.len(), (*self.spec()).into());
            return Err(QuantizedError::Activations { actual, columns, layout });
        }
        Ok(x.len() / columns)
    }

    /// Writes rows of activations, `width` apart, in the order in which the elements of each group become two vectors.
    fn order<T: Activation, U: HostValue>(
        &self,
        x: &[T],
        width: usize,
        to: &mut [U],
        number: impl Fn(T) -> U,
    ) {
        let distance = self.spec().pair_distance().unwrap_or(GROUP / 2);
        for (to, from) in to.chunks_exact_mut(width).zip(x.chunks_exact(self.spec().columns())) {
            for (to, from) in to.chunks_exact_mut(GROUP).zip(from.chunks(GROUP)) {
                let (low, high) = to.split_at_mut(GROUP / 2);
                let pairs = from.chunks_exact(2 * distance).map(|some| some.split_at(distance));
                let places = low.chunks_exact_mut(distance).zip(high.chunks_exact_mut(distance));
                for ((low, high), (first, second)) in places.zip(pairs) {
                    for ((low, high), (a, b)) in
                        low.iter_mut().zip(high).zip(first.iter().zip(second))
                    {
                        (*low, *high) = (number(*a), number(*b));
                    }
                }
            }
        }
    }

    pub(super) fn memory<T: HostValue>(&self, len: usize) -> Result<Vec<T>, QuantizedError> {
        zeroed(len).ok_or_else(|| self.no_memory(len.saturating_mul(size_of::<T>())))
    }

    pub(super) fn no_memory(&self, bytes: usize) -> QuantizedError {
        QuantizedError::OutOfMemory { bytes, layout: (*self.spec()).into() }
    }
}

pub(super) fn tables(spec: &QuantizedSpec) -> Tables {
    // `s4` elements are stored plus 8 in blocks.
    let excess = match (spec.element(), spec.arrangement()) {
        (DType::S4, Arrangement::Blocks) => 8,
        _ => 0,
    };
    let element = |code: usize| element_value(spec.element(), code as u8);
    let mut tables = Tables {
        nibbles: [0.0; 16],
        nibble_bytes: [[0; 16]; 2],
        elements: [0.0; 256],
        scales: [0.0; 256],
    };
    // Filling tables that no loop reads would take as long as a product with few weights.
    match spec.element() {
        DType::S8 => {}
        _ if spec.element().bits() == 4 => {
            tables.nibbles = core::array::from_fn(|code| element(code ^ excess));
            tables.nibble_bytes = [2, 3].map(|byte| tables.nibbles.map(|x| x.to_le_bytes()[byte]));
        }
        _ => tables.elements = core::array::from_fn(element),
    }
    if spec.scale().bits() == 8 {
        tables.scales = core::array::from_fn(|code| spec.scale_number(code as u32));
    }
    tables
}

/// A product whose activations are in order.
struct Product<'a> {
    /// Detected once, so that all threads use the same instructions.
    cpu: Cpu,
    weights: &'a DynQuantizedRef<'a>,
    /// Rows of `width` activations.
    x: &'a [f32],
    width: usize,
    tables: &'a Tables,
}

impl Product<'_> {
    /// Writes the sums of all rows of weights, those of each row one after the other.
    fn all(&self, sums: &mut [f32]) -> Result<(), QuantizedError> {
        let m = self.x.len() / self.width;
        let strip = rows_of_strip(self.weights) * m;
        let first = self.weights.row_range().start;
        let compute = |(i, sums): (usize, &mut [f32])| self.strip(first + i * (strip / m), sums);
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 && sums.len() * self.width >= PARALLEL {
            use rayon::prelude::*;
            return sums.par_chunks_mut(strip).enumerate().try_for_each(compute);
        }
        sums.chunks_mut(strip).enumerate().try_for_each(compute)
    }

    /// The sums of some rows of weights, from `first` on.
    fn strip(&self, first: usize, sums: &mut [f32]) -> Result<(), QuantizedError> {
        let m = self.x.len() / self.width;
        if m == 1 {
            return self.rows([self.x], first, sums);
        }
        let rows = sums.len() / m;
        let mut scratch = self.weights.memory::<f32>(rows * ROWS)?;
        for (at, x) in self.x.chunks(ROWS * self.width).enumerate() {
            let mut x = x.chunks_exact(self.width);
            let count = x.len();
            if count == ROWS {
                // Never empty, because there is a sum for each row.
                let x = core::array::from_fn(|_| x.next().unwrap_or(&[]));
                self.rows::<ROWS>(x, first, &mut scratch)?;
                for (sums, found) in sums.chunks_exact_mut(m).zip(scratch.chunks_exact(ROWS)) {
                    sums[at * ROWS..][..ROWS].copy_from_slice(found);
                }
                continue;
            }
            for (i, x) in x.enumerate() {
                self.rows([x], first, &mut scratch[..rows])?;
                for (sums, found) in sums.chunks_exact_mut(m).zip(&scratch) {
                    sums[at * ROWS + i] = *found;
                }
            }
        }
        Ok(())
    }

    /// The sums of some rows of weights, from `first` on, with `R` rows of activations.
    fn rows<const R: usize>(
        &self,
        x: [&[f32]; R],
        first: usize,
        sums: &mut [f32],
    ) -> Result<(), QuantizedError> {
        for_all_kinds!(self.weights.spec(), K => self.rows_of::<K, R>(x, first, sums), else Ok(()))
    }

    fn rows_of<K: Kinds, const R: usize>(
        &self,
        x: [&[f32]; R],
        first: usize,
        sums: &mut [f32],
    ) -> Result<(), QuantizedError> {
        let (spec, count) = (self.weights.spec(), sums.len() / R);
        let bytes = RowBytes::of(self.weights, first);
        if bytes.has_whole_groups(spec) {
            self.multiply_rows::<K, R>(&bytes, x, count, sums);
            return Ok(());
        }
        let no_memory = || self.weights.no_memory(bytes.copy_len(spec, count));
        let copies = bytes.copy(spec, count).ok_or_else(no_memory)?;
        self.multiply_rows::<K, R>(&copies.bytes(), x, count, sums);
        Ok(())
    }

    /// The sums of `count` rows. The number of blocks is a multiple of the number of blocks in a group.
    fn multiply_rows<K: Kinds, const R: usize>(
        &self,
        bytes: &RowBytes<'_>,
        x: [&[f32]; R],
        count: usize,
        sums: &mut [f32],
    ) {
        let spec = self.weights.spec();
        let width = bytes.blocks() * spec.block();
        assert!(sums.len() == count * R && x.iter().all(|x| x.len() == width));
        let rows = bytes.rows(self.weights, self.tables, count);
        // SAFETY: the rows and their scales are within the bytes, and the activations are whole groups, as asserted.
        unsafe { run::<K, R>(self.cpu, rows, x, sums) };
    }
}

/// # Safety
/// As [`multiply`].
unsafe fn run<K: Kinds, const R: usize>(cpu: Cpu, rows: Rows<'_>, x: [&[f32]; R], y: &mut [f32]) {
    // SAFETY: the caller makes the same promises.
    unsafe {
        for_cpu!(cpu, unsafe multiply<K: Kinds>[R: usize = R](
            rows: Rows<'_>, x: [&[f32]; R], y: &mut [f32]
        ))
    }
}
