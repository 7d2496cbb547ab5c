//! Products of activations that are quantized to `s8` and block-scaled weights whose elements are small integers.
//!
//! The dot product of a group of 32 elements is an integer, so it is the same on every CPU, however many elements an instruction
//! multiplies. A step reads 64 bytes of elements: two groups of bytes, or four groups of half bytes.
#![allow(unsafe_code, reason = "rows of weights are read by address")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512;
mod plain;
mod scales;
#[cfg(test)]
mod tests;

#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(super) use avx512::Has as HasDots;

use super::error::QuantizedError;
use super::integers::Integers;
use super::lanes::Tables;
use super::matmul::{Activation, tables};
use super::row_kernel::{AHEAD, Byte, F16, F32, GROUP, Rows};
use super::strips;
use super::view::DynQuantizedRef;
use crate::cpu::{Cpu, prefetch};
use alloc::vec::Vec;
use layout_core::DType;
use scales::Scale;

/// The bytes of elements in a step.
const BYTES: usize = 64;

/// The largest magnitude of a quantized activation.
const LARGEST: f32 = 127.0;

/// The quantized activations of a step, in the order of the codes: those for whole bytes (`V` is 1), or those for the low and for
/// the high halves of bytes (`V` is 2).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct QuantizedActivations<const V: usize> {
    numbers: [[i8; BYTES]; V],
    /// Codes are multiplied as unsigned numbers, which are larger by [`Integers::excess`]. This is the negative of what the excess
    /// adds to the sum of each four bytes.
    base: [i32; 16],
    /// The scale of each group, times [`Integers::unit`].
    scales: [f32; 4],
}

/// Dot products of steps. A value proves that the CPU has the instructions; all results are the same, bit for bit.
trait Dots: Copy {
    /// The codes of a step.
    type Codes: Copy;
    /// The sums of the products of each four bytes.
    type Integers: Copy;
    /// A vector of 16 numbers.
    type Sums: Copy;
    /// A vector of four numbers.
    type Scales: Copy;

    fn zero(self) -> Self::Sums;

    /// The codes of a step, if they are contiguous.
    ///
    /// # Safety
    /// 64 bytes must be readable at `from`.
    unsafe fn together(self, from: *const u8) -> Self::Codes;

    /// The codes of a step whose groups are apart: two groups of 32 bytes if `V` is 1, or four of 16.
    ///
    /// # Safety
    /// A group must be readable at each address; if `V` is 1, the last two addresses are not read.
    unsafe fn apart<const V: usize>(self, from: [*const u8; 4]) -> Self::Codes;

    fn dot<const V: usize>(
        self,
        codes: Self::Codes,
        step: &QuantizedActivations<V>,
        of: &Integers,
    ) -> Self::Integers;

    /// The numbers of `f16`.
    fn halves(self, bits: [u16; 4]) -> Self::Scales;

    fn floats(self, numbers: [f32; 4]) -> Self::Scales;

    /// `sums + integers * (a * b)`, with each result rounded. The 16 lanes contain the groups one after the other: two if `V` is 1,
    /// or four.
    fn add_scaled<const V: usize>(
        self,
        sums: Self::Sums,
        integers: Self::Integers,
        a: Self::Scales,
        b: &[f32; 4],
    ) -> Self::Sums;

    /// The sum of all lanes: of lanes 8 apart, then 4, 2 and 1.
    fn sum(self, sums: Self::Sums) -> f32;
}

impl DynQuantizedRef<'_> {
    /// [`DynQuantizedRef::matmul`] with activations that are first quantized to `s8`: see [`DynQuantizedRef::matmul_s8_into`].
    ///
    /// # Errors
    /// As for [`DynQuantizedRef::matmul_s8_into`], except that the result always has the right length.
    pub fn matmul_s8<T: Activation>(&self, x: &[T]) -> Result<Vec<f32>, QuantizedError> {
        let rows = self.count(x)?;
        let len =
            rows.checked_mul(self.row_range().len()).ok_or_else(|| self.no_memory(usize::MAX))?;
        let mut y = self.memory::<f32>(len)?;
        self.matmul_s8_into(x, &mut y)?;
        Ok(y)
    }

    /// As [`DynQuantizedRef::matmul_into`], for activations that are first quantized to `s8`, with a scale for each 32 of a row.
    /// This is faster for few rows of activations, and less exact. The results are the same on every CPU, bit for bit.
    ///
    /// If `a` is the largest magnitude of 32 activations, their scale is `a / 127`, and `x` becomes `x * (127 / a)`, rounded to the
    /// nearest integer, with ties to even. (If `127 / a` is infinite, all become 0.) This changes `x` by at most `a / 253`. So a
    /// result differs from that of [`DynQuantizedRef::matmul_into`] by at most the sum, over each 32 columns, of `a / 253` times
    /// the sum of the magnitudes of the unpacked weights, plus rounding.
    ///
    /// Products and their sums over 32 elements are integers, and therefore exact. There is a sum for each four bytes of weights: a
    /// group of 32 elements has eight lanes, or four if elements have 4 bits, and lane `l` has bytes `4l` to `4l + 3`. So 16 lanes
    /// are two groups, or four. Each integer is multiplied by the rounded product of both scales and added to the sum of its lane,
    /// each result rounded. At the end lanes 8 apart are added, then those 4, 2 and 1 apart, and the sum is multiplied by the scale
    /// of the whole array, if there is one. With `K` elements in a row the result differs from the exact sum of products of the
    /// quantized activations by at most `(K / 64 + 9) * 2^-24` of the sum of their magnitudes, as long as nothing overflows or is
    /// subnormal.
    ///
    /// ```
    /// use tensor_layout::quantized;
    /// type Weights = quantized!(q4_0[2,64]);
    /// let weights = Weights::pack(&[0.25_f32; 128])?;
    /// let x: Vec<f32> = (0..64).map(|n| n as f32 / 8.0).collect();
    /// let (exact, y) = (weights.matmul(&x)?, weights.as_dyn().matmul_s8(&x)?);
    /// let bound = (31.0 / 8.0 + 63.0 / 8.0) / 253.0 * 32.0 * 0.25;
    /// assert!((exact[1] - y[1]).abs() <= bound);
    /// # Ok::<(), tensor_layout::quantized::QuantizedError>(())
    /// ```
    ///
    /// # Errors
    /// As [`DynQuantizedRef::matmul_into`]; if the elements are not `s8`, `s4` or `f4e2m1fn`, or blocks have 16 elements; or if an
    /// activation is infinite or not a number.
    pub fn matmul_s8_into<T: Activation>(
        &self,
        x: &[T],
        y: &mut [f32],
    ) -> Result<(), QuantizedError> {
        let m = self.checked(x, y)?;
        let tables = &tables(self.spec());
        let codes = Integers::of(self.spec(), tables).filter(|_| self.spec().block() >= GROUP);
        let Some(codes) = codes else {
            return Err(QuantizedError::NotIntegers { layout: (*self.spec()).into() });
        };
        if y.is_empty() {
            return Ok(());
        }
        let has_bytes = self.spec().element() == DType::S8;
        match (has_bytes, self.spec().scale()) {
            (true, DType::F16) => Product::<F16, 1>::new(self, tables, codes, x)?.all(m, y),
            (true, _) => Product::<F32, 1>::new(self, tables, codes, x)?.all(m, y),
            (false, DType::F16) => Product::<F16, 2>::new(self, tables, codes, x)?.all(m, y),
            (false, DType::F32) => Product::<F32, 2>::new(self, tables, codes, x)?.all(m, y),
            (false, _) => Product::<Byte, 2>::new(self, tables, codes, x)?.all(m, y),
        }
    }
}

/// A product whose activations are quantized.
struct Product<'a, C, const V: usize> {
    weights: &'a DynQuantizedRef<'a>,
    tables: &'a Tables,
    codes: Integers,
    /// The steps of all rows of activations, one after the other.
    steps: Vec<QuantizedActivations<V>>,
    kind: core::marker::PhantomData<fn() -> C>,
}

impl<'a, C: Scale, const V: usize> Product<'a, C, V> {
    /// The number of groups of a step.
    const GROUPS: usize = 2 * V;

    fn new<T: Activation>(
        weights: &'a DynQuantizedRef<'a>,
        tables: &'a Tables,
        codes: Integers,
        x: &[T],
    ) -> Result<Self, QuantizedError> {
        let columns = weights.spec().columns();
        let per_row = columns.div_ceil(Self::GROUPS * GROUP);
        let empty =
            QuantizedActivations { numbers: [[0; BYTES]; V], base: [0; 16], scales: [0.0; 4] };
        let (mut steps, count) = (Vec::new(), x.len() / columns * per_row);
        steps.try_reserve_exact(count).map_err(|_| {
            weights.no_memory(count.saturating_mul(size_of::<QuantizedActivations<V>>()))
        })?;
        steps.resize(count, empty);
        let distance = weights.spec().pair_distance().unwrap_or(GROUP);
        for (row, steps) in steps.chunks_exact_mut(per_row).enumerate() {
            for (number, group) in x[row * columns..][..columns].chunks_exact(GROUP).enumerate() {
                let group = core::array::from_fn(|i| group[i].widen());
                if let Some(at) = group.iter().position(|x: &f32| !x.is_finite()) {
                    let (position, layout) =
                        (row * columns + number * GROUP + at, (*weights.spec()).into());
                    return Err(QuantizedError::ActivationNotFinite { position, layout });
                }
                let step = &mut steps[number / Self::GROUPS];
                step.set(number % Self::GROUPS, &group, distance, &codes);
            }
        }
        let kind = core::marker::PhantomData;
        Ok(Self { weights, tables, codes, steps, kind })
    }

    /// Writes the product of `m` rows of activations.
    fn all(&self, m: usize, y: &mut [f32]) -> Result<(), QuantizedError> {
        // Detected once, so that all threads use the same instructions.
        let cpu = Cpu::detect();
        let per_row = self.steps.len() / m;
        strips::product(self.weights, self.tables, m, y, |rows, x, sums| {
            let steps = &self.steps[x * per_row..][..per_row];
            // SAFETY: there is a row for each sum.
            unsafe { run::<C, V>(cpu, rows, steps, &self.codes, sums) };
        })
    }
}

impl<const V: usize> QuantizedActivations<V> {
    /// Quantizes the activations of a group, of which those at this distance are multiplied by elements that share a byte.
    fn set(&mut self, group: usize, x: &[f32; GROUP], distance: usize, codes: &Integers) {
        let largest = x.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
        let inverse = LARGEST / largest;
        if !inverse.is_finite() {
            return;
        }
        self.scales[group] = largest / LARGEST * codes.unit;
        // Adding 1.5 * 2^23 leaves no fractional bits.
        const ROUND: f32 = 12_582_912.0;
        let rounded = x.map(|x| ((x * inverse + ROUND) - ROUND) as i8);
        let bytes = GROUP / V;
        for (part, numbers) in self.numbers.iter_mut().enumerate() {
            for (i, number) in numbers[group * bytes..][..bytes].iter_mut().enumerate() {
                *number = rounded[i / distance * 2 * distance + i % distance + part * distance];
            }
        }
        for lane in group * bytes / 4..(group + 1) * bytes / 4 {
            let four = self.numbers.iter().flat_map(|numbers| &numbers[4 * lane..][..4]);
            self.base[lane] = -codes.excess * four.map(|number| i32::from(*number)).sum::<i32>();
        }
    }
}

/// Multiplies rows of weights by a row of activations: a sum for each.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable.
unsafe fn run<C: Scale, const V: usize>(
    cpu: Cpu,
    rows: Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    assert!(rows.groups.is_power_of_two());
    assert!(steps.len() == (rows.blocks * rows.groups).div_ceil(2 * V));
    // SAFETY: the values prove the instructions; there is a step for each group of these; the caller promises the rows.
    unsafe {
        match cpu {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Cpu::Avx512(has) => match avx512::Has::detect(has) {
                Some(has) => avx512::multiply::<C, V>(has, rows, steps, codes, y),
                None => plain::multiply::<C, V>(rows, steps, codes, y),
            },
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Cpu::Avx2(has) => avx2::multiply::<C, V>(has, rows, steps, codes, y),
            _ => plain::multiply::<C, V>(rows, steps, codes, y),
        }
    }
}

/// # Safety
/// The elements and scales of `y.len()` rows must be readable, and there must be a step for each `2 * V` groups of a row.
#[inline(always)]
unsafe fn all_rows<S: Dots, C: Scale, const V: usize>(
    simd: S,
    rows: &Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    // SAFETY: the caller promises the rows and the steps.
    unsafe {
        match (rows.element_stride == rows.groups * GROUP / V, rows.groups == 1) {
            (true, _) => each_row::<S, C, V, true, false>(simd, rows, steps, codes, y),
            (false, true) => each_row::<S, C, V, false, true>(simd, rows, steps, codes, y),
            (false, false) => each_row::<S, C, V, false, false>(simd, rows, steps, codes, y),
        }
    }
}

/// One row after the other, so that memory is read in order.
///
/// The constants say whether the elements of blocks are contiguous (`LIE_TOGETHER`), and whether blocks have one group
/// (`ONE_GROUP`).
///
/// # Safety
/// As [`all_rows`], and what the constants say must hold.
#[inline(always)]
unsafe fn each_row<
    S: Dots,
    C: Scale,
    const V: usize,
    const LIE_TOGETHER: bool,
    const ONE_GROUP: bool,
>(
    simd: S,
    rows: &Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    // Blocks have 32, 64, 128 or 256 elements.
    let shift = rows.groups.trailing_zeros();
    let (groups, bytes) = (rows.blocks << shift, GROUP / V);
    let (whole, rest) = steps.split_at(groups / (2 * V));
    // Loops rather than closures: a closure is compiled for the CPU of its caller only if it is inlined.
    for (row, y) in y.iter_mut().enumerate() {
        // SAFETY: the caller promises the rows.
        let (elements, scales) = unsafe {
            (rows.elements.add(row * rows.element_row), rows.scales.add(row * rows.scale_row))
        };
        let mut sums = simd.zero();
        for (number, step) in whole.iter().enumerate() {
            let group = number * 2 * V;
            // SAFETY: the caller promises the rows and their scales, which have all groups of these steps.
            unsafe {
                let mut from = [elements; 4];
                let mut each = [scales; 4];
                for i in 0..2 * V {
                    let (block, within) = match ONE_GROUP {
                        true => (group + i, 0),
                        false => ((group + i) >> shift, (group + i) & (rows.groups - 1)),
                    };
                    from[i] = elements.add(block * rows.element_stride + within * bytes);
                    each[i] = scales.add(block * rows.scale_stride);
                }
                let read = match LIE_TOGETHER {
                    true => simd.together(elements.add(number * BYTES)),
                    false => simd.apart::<V>(from),
                };
                prefetch(from[0].wrapping_add(AHEAD));
                let integers = simd.dot(read, step, codes);
                let scales = C::load::<S, V>(simd, each, rows.tables);
                sums = simd.add_scaled::<V>(sums, integers, scales, &step.scales);
            }
        }
        // The last step may have fewer groups. Instead of missing groups, it reads the last one again, and multiplies it by zeros.
        for step in rest {
            let first = groups / (2 * V) * (2 * V);
            let mut from = [elements; 4];
            let mut each = [0.0; 4];
            for i in 0..2 * V {
                let group = (first + i).min(groups - 1);
                let (block, within) = (group >> shift, group & (rows.groups - 1));
                // SAFETY: the caller promises the rows and their scales.
                unsafe {
                    from[i] = elements.add(block * rows.element_stride + within * bytes);
                    if first + i < groups {
                        each[i] = C::read(scales.add(block * rows.scale_stride), rows.tables);
                    }
                }
            }
            // SAFETY: each group has these bytes.
            let read = unsafe { simd.apart::<V>(from) };
            let integers = simd.dot(read, step, codes);
            sums = simd.add_scaled::<V>(sums, integers, simd.floats(each), &step.scales);
        }
        *y = simd.sum(sums) * rows.tensor_scale;
    }
}
