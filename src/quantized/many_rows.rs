//! Block-scaled weights as panels, for products of many rows of `bf16` activations. The elements are numbers of at most 8 bits, so
//! each is exactly a `bf16`.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::error::QuantizedError;
use super::lanes::Tables;
use super::panels::{BlockCount, COLUMNS, DEPTH, Has, ManyRows, NoMemory, Part, Source, transpose};
use super::row_kernel::{Elements, GROUP, Kinds, ScaleKind};
#[cfg(feature = "parallel")]
use super::strips::PARALLEL;
use super::view::{DynQuantizedRef, tensor_scale};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::transmute;
use half::bf16;

/// The number of pairs of elements in a group.
const PAIRS: usize = GROUP / 2;

/// Writes the product of activations in the order of the groups, in row-major order.
pub(super) fn product<K: Kinds<Scales: ScaleKind<Number = f32>>>(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[bf16],
    tables: &Tables,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let source = Weights::<K> { weights, tables, kinds: PhantomData };
    let product = ManyRows {
        has,
        weights: &source,
        x,
        #[cfg(feature = "parallel")]
        parallel: rayon::current_num_threads() > 1
            && x.len() * weights.row_range().len() >= PARALLEL,
    };
    product.all(y).map_err(|NoMemory(bytes)| weights.no_memory(bytes))
}

struct Weights<'a, K> {
    weights: &'a DynQuantizedRef<'a>,
    tables: &'a Tables,
    kinds: PhantomData<fn() -> K>,
}

impl<K: Kinds<Scales: ScaleKind<Number = f32>>> Source for Weights<'_, K> {
    fn rows(&self) -> usize {
        self.weights.row_range().len()
    }

    fn columns(&self) -> usize {
        self.weights.spec().columns()
    }

    fn part(&self, first: usize) -> BlockCount {
        let block = self.weights.spec().block();
        let left = (self.columns() - first) / block;
        BlockCount { count: (DEPTH / block).max(1).min(left), pairs: block / 2 }
    }

    fn factor(&self) -> f32 {
        tensor_scale(self.weights.spec(), self.weights.bytes())
    }

    /// # Safety
    /// As [`Source::unpack`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
    unsafe fn unpack(&self, has: Has, part: Part, panel: &mut [u32], scales: &mut [f32]) {
        let (simd, spec, bytes) = (has.avx512(), self.weights.spec(), self.weights.bytes());
        let in_row = spec.columns() / spec.block();
        let groups = spec.block() / GROUP;
        let (first_row, first_block) =
            (self.weights.row_range().start + part.row, part.first / spec.block());
        let at = |row: usize, block: usize| (first_row + row) * in_row + first_block + block;
        // Read once, because these are functions of another crate.
        let (elements_start, element_stride) = (spec.elements_start(), spec.element_stride());
        let (scales_start, scale_stride) = (spec.scales_start(), spec.scale_stride());
        let scale_bytes = spec.scale().byte_width();
        for block in 0..part.blocks.count {
            let scales = &mut scales[block * COLUMNS..][..COLUMNS];
            scales.fill(0.0);
            for (row, scale) in scales[..part.rows].iter_mut().enumerate() {
                let from = scales_start + at(row, block) * scale_stride;
                let from = bytes[from..][..scale_bytes].as_ptr();
                // SAFETY: the slice has the bytes of a scale.
                *scale = unsafe { K::Scales::read(simd, from, self.tables) };
            }
            for half in 0..COLUMNS / 16 {
                for group in 0..groups {
                    let mut rows = [_mm512_setzero_si512(); 16];
                    let present = part.rows.saturating_sub(half * 16).min(16);
                    for (row, to) in rows[..present].iter_mut().enumerate() {
                        let from = elements_start
                            + at(half * 16 + row, block) * element_stride
                            + group * K::Elements::BYTES;
                        let from = bytes[from..][..K::Elements::BYTES].as_ptr();
                        // SAFETY: the slice has the bytes of a group; the vectors have 64 bytes.
                        *to = unsafe {
                            let (a, b) = K::Elements::load(simd, from, self.tables);
                            transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(b, a))
                        };
                    }
                    let first = (block * groups + group) * PAIRS * COLUMNS + half * 16;
                    let to = &mut panel[first..][..(PAIRS - 1) * COLUMNS + 16];
                    for (pair, words) in transpose(rows).into_iter().enumerate() {
                        // SAFETY: the slice has 16 words at each of these positions.
                        unsafe {
                            _mm512_storeu_si512(to.as_mut_ptr().add(pair * COLUMNS).cast(), words);
                        }
                    }
                }
            }
        }
    }
}
