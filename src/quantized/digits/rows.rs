//! The loops over rows of weights.

use super::super::integers::Integers;
use super::super::lanes::{Lanes, Tables};
use super::super::row_kernel::{GROUP, Rows};
use super::super::s8::HasDots;
use super::activations::{DIGITS, Quad};
use super::load::{Anywhere, Blocks, Load, Order, Planes, Weights};
use super::{CHUNK, CHUNKS, GROUPS, LaneScales, place};
use crate::cpu::{HasAvx512, prefetch};
use core::arch::x86_64::*;
use layout_core::quantized::{Arrangement, QuantizedSpec};

/// The distance in bytes at which elements are prefetched. Reading this many bytes takes longer than the latency of memory.
const AHEAD: usize = 16 << 10;

/// What all rows of weights of a layout have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<S: LaneScales, const V: usize> {
    simd: HasAvx512,
    /// The unsigned integers of the 16 codes, four times.
    integers: __m512i,
    table: S::Table,
    order: Order<V>,
    /// The arrangement, if each group has scales of its own.
    arrangement: Option<Arrangement>,
}

impl<S: LaneScales, const V: usize> Common<S, V> {
    /// The common data for rows of this layout.
    pub(super) fn of(
        has: HasDots,
        spec: &QuantizedSpec,
        integers: &Integers,
        tables: &Tables,
    ) -> Self {
        let (simd, halves) = (has.avx512(), integers.halves.as_ptr());
        Self {
            simd,
            // SAFETY: `has` proves the instructions; the array has 16 bytes.
            integers: unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(halves.cast())) },
            table: S::table(simd, tables),
            order: Order::new::<S>(simd),
            arrangement: Some(spec.arrangement()).filter(|_| spec.block() <= GROUP),
        }
    }
}

/// Multiplies rows of weights by a row of activations: a sum for each.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable, have these types, and have the layout of `common`.
pub(super) unsafe fn multiply<S: LaneScales, const V: usize>(
    common: &Common<S, V>,
    rows: Rows<'_>,
    x: &[Quad<V>],
    y: &mut [f32],
) {
    let groups = rows.blocks * rows.groups;
    assert!(x.len() == groups.div_ceil(GROUPS));
    let weights = Weights { rows, groups, order: common.order };
    // SAFETY: a `Common` is made of a proof of the instructions; there are activations for each group; the caller promises the rows.
    unsafe {
        match common.arrangement {
            Some(Arrangement::Planes) => all_rows::<S, V, Planes>(common, &weights, x, y),
            Some(Arrangement::Blocks) => all_rows::<S, V, Blocks>(common, &weights, x, y),
            None => all_rows::<S, V, Anywhere>(common, &weights, x, y),
        }
    }
}

/// # Safety
/// As [`multiply`], with rows of this arrangement and activations for each group, and the CPU must have the instructions that
/// [`HasDots`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,avx2,bmi2")]
unsafe fn all_rows<S: LaneScales, const V: usize, L: Load<S, V>>(
    common: &Common<S, V>,
    weights: &Weights<'_, V>,
    x: &[Quad<V>],
    y: &mut [f32],
) {
    // Copies, which the compiler keeps in registers despite the prefetches.
    let (common, weights) = (&{ *common }, &{ *weights });
    let (whole, rest) = x.split_at(weights.groups / GROUPS);
    // Loops rather than closures: a closure is compiled for the CPU of its caller only if it is inlined.
    for (row, y) in y.iter_mut().enumerate() {
        let mut sums = [_mm512_setzero_ps(); V];
        let ahead = weights.rows.elements.wrapping_add(row * weights.rows.element_row + AHEAD);
        for (number, x) in whole.iter().enumerate() {
            // SAFETY: the caller promises the rows, the activations and the instructions.
            unsafe {
                for line in 0..L::BYTES.div_ceil(CHUNK) {
                    prefetch(ahead.wrapping_add(number * L::BYTES + line * CHUNK));
                }
                let (codes, scales) = L::quad(weights, row, number * GROUPS);
                let parts = parts(common.integers, codes, x);
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_fmadd_ps(parts[v], S::decode(scales[v], common.table), *sum);
                }
            }
        }
        for x in rest {
            let first = whole.len() * GROUPS;
            // SAFETY: as above; the row has at least one group of the quad.
            unsafe {
                let (codes, scales) = <Anywhere as Load<S, V>>::quad(weights, row, first);
                let parts = parts(common.integers, codes, x);
                for (v, sum) in sums.iter_mut().enumerate() {
                    let scales = S::decode(scales[v], common.table);
                    let lanes = lanes_of::<V>(v, weights.groups - first);
                    *sum = _mm512_mask3_fmadd_ps(parts[v], scales, *sum, lanes);
                }
            }
        }
        let sum = match sums.as_slice() {
            [sum] => *sum,
            sums => _mm512_add_ps(sums[0], sums[1]),
        };
        *y = common.simd.sum(sum) * weights.rows.tensor_scale;
    }
}

/// The lanes of a vector that belong to the first groups of a quad.
fn lanes_of<const V: usize>(vector: usize, groups: usize) -> u16 {
    let places = (0..groups * V).map(place::<V>);
    places.filter(|place| place.0 == vector).map(|place| 1 << place.1).sum()
}

/// The sums of products of elements that share a scale, times the scales of their activations.
///
/// # Safety
/// The CPU must have the instructions that [`HasDots`] proves.
#[inline(always)]
unsafe fn parts<const V: usize>(
    integers: __m512i,
    codes: [__m512i; CHUNKS],
    x: &Quad<V>,
) -> [__m512; V] {
    // SAFETY: the caller promises the instructions; each array has 64 aligned bytes.
    unsafe {
        let mut sums = [_mm512_setzero_si512(); CHUNKS];
        for (chunk, sum) in sums.iter_mut().enumerate() {
            // Of an index, the instruction uses six bits, and the table has each integer four times.
            let low = _mm512_permutexvar_epi8(codes[chunk], integers);
            let high = _mm512_srli_epi16::<4>(codes[chunk]);
            let high = _mm512_permutexvar_epi8(high, integers);
            // Modulo 2^32: only the final sums, without the excess, are small. Those of the lowest digit are apart, because one sum
            // would wait for six instructions.
            let mut of_digits = [_mm512_setzero_si512(); 2];
            for (number, digits) in x.numbers[chunk].iter().enumerate() {
                let of_digit = &mut of_digits[usize::from(number == DIGITS - 1)];
                let x = _mm512_load_si512(digits[0].as_ptr().cast());
                *of_digit = _mm512_dpbusd_epi32(_mm512_slli_epi32::<8>(*of_digit), low, x);
                let x = _mm512_load_si512(digits[1].as_ptr().cast());
                *of_digit = _mm512_dpbusd_epi32(*of_digit, high, x);
            }
            let [higher, lowest] = of_digits;
            *sum = _mm512_add_epi32(_mm512_slli_epi32::<8>(higher), lowest);
        }
        let sums = totals::<V>(sums);
        let mut parts = [_mm512_setzero_ps(); V];
        for (v, part) in parts.iter_mut().enumerate() {
            let base = _mm512_load_si512(x.base[v].as_ptr().cast());
            let sum = _mm512_cvtepi32_ps(_mm512_add_epi32(sums[v], base));
            *part = _mm512_mul_ps(sum, _mm512_load_ps(x.scales[v].as_ptr()));
        }
        parts
    }
}

/// Adds the lanes of each group, all four of them, or two and two. The sums are where [`place`] says.
///
/// If `a0` to `a3` are the lanes of a group of the first chunk, the first step adds `a0` and `b0` to `a2` and `b2`, and
/// `a1` and `b1` to `a3` and `b3`; the second adds the results.
///
/// # Safety
/// The CPU must have AVX-512.
#[inline(always)]
unsafe fn totals<const V: usize>([a, b, c, d]: [__m512i; CHUNKS]) -> [__m512i; V] {
    // SAFETY: the caller promises the instructions.
    unsafe {
        if V == 1 {
            let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            let even = _mm512_unpacklo_epi64(ab, cd);
            return [_mm512_add_epi32(even, _mm512_unpackhi_epi64(ab, cd)); V];
        }
        let mut totals = [pairs(a, b); V];
        totals[1] = pairs(c, d);
        totals
    }
}

/// Adds lanes in pairs: those of both vectors alternate, four lanes at a time.
///
/// # Safety
/// The CPU must have AVX-512.
#[inline(always)]
unsafe fn pairs(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller promises the instructions.
    unsafe {
        let (a, b) = (_mm512_castsi512_ps(a), _mm512_castsi512_ps(b));
        let even = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b));
        let odd = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b));
        _mm512_add_epi32(even, odd)
    }
}
