//! Compares every kernel that the CPU can run, and the block sizes of all kernels, with sums of exact products.
#![allow(unsafe_code, reason = "the interface of vectors reads and writes memory")]

mod accumulate;
mod batches;
mod bounded;
mod contractions;
mod fused;
mod in_place;
mod letters;
mod mixed;
mod small;
mod special;
mod twin;

use super::grid::Word;
use super::in_place::{Factors, InPlace, multiply_in_place, multiply_packing};
use super::lanes::{Dot, MicroBlock, NO_TABLE, Vectors, multiply};
use super::micro_kernel::{MicroKernel, Prepare, stacked};
use super::portable::ArrayVectors;
use super::row_run::{RowRun, RunFn, multiply_run};
use super::small::SmallDot;
use super::tile_kernels::TileKernel;
use super::zipped_run::{Zip, ZippedFn, ZippedRun, multiply_zipped};
use super::{entry, panels};
use crate::element::{BF16, Element, F32, F64, S8, S32};
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use half::bf16;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// A layout of each kind for a matrix, by the text after its dimensions.
const LAYOUTS: [&str; 11] = [
    "{1,0}",
    "{1,0:T(8,128)}",
    "{1,0:T(8,128)(2,1)}",
    "{1,0:T(8,128)(4,1)}",
    "{1,0:T(32,128)(4,1)}",
    "{1,0:T(32,128)(2,1)}",
    "{1,0:T(2,2)}",
    "{1,0:T(6,64)(2,1)}",
    "{0,1:T(8,128)}",
    "{0,1}",
    "{1,0:T(*,3)L(64)}",
];

fn spec(dtype: DType, rows: usize, columns: usize, layout: &str) -> TiledSpec {
    format!("{dtype}[{rows},{columns}]{layout}").parse().unwrap()
}

/// An element type as the tests see it.
trait Sample: Element {
    type Sum: super::types::Sum;
    fn small(n: i8) -> Self::Host;
    fn real(x: f32) -> Self::Host;
    fn exact(x: Self::Host) -> f64;
    fn sum(x: <Self::Sum as Element>::Host) -> f64;
}

impl Sample for F32 {
    type Sum = F32;
    fn small(n: i8) -> f32 {
        n.into()
    }
    fn real(x: f32) -> f32 {
        x
    }
    fn exact(x: f32) -> f64 {
        x.into()
    }
    fn sum(x: f32) -> f64 {
        x.into()
    }
}

impl Sample for F64 {
    type Sum = F64;
    fn small(n: i8) -> f64 {
        n.into()
    }
    fn real(x: f32) -> f64 {
        f64::from(x) / 3.0
    }
    fn exact(x: f64) -> f64 {
        x
    }
    fn sum(x: f64) -> f64 {
        x
    }
}

impl Sample for BF16 {
    type Sum = F32;
    fn small(n: i8) -> bf16 {
        bf16::from_f32(n.into())
    }
    fn real(x: f32) -> bf16 {
        bf16::from_f32(x)
    }
    fn exact(x: bf16) -> f64 {
        x.into()
    }
    fn sum(x: f32) -> f64 {
        x.into()
    }
}

impl Sample for S8 {
    type Sum = S32;
    fn small(n: i8) -> i8 {
        n
    }
    fn real(x: f32) -> i8 {
        (x * 128.0) as i8
    }
    fn exact(x: i8) -> f64 {
        x.into()
    }
    fn sum(x: i32) -> f64 {
        x.into()
    }
}

/// All kernels for a type that can run here, and those of AVX-512 with its instructions emulated one word at a time.
fn kernels<E: Sample>() -> Vec<MicroKernel> {
    let mut kernels = Vec::new();
    MicroKernel::each([E::DTYPE; 2], |kernel| kernels.extend(eager(kernel)));
    type BlockFn = unsafe fn(&mut MicroBlock<'_>);
    let wide_row: RunFn = match E::DTYPE {
        DType::S8 => flipped,
        DType::BF16 => wide_run::<BF16>,
        DType::F64 => wide_run::<F64>,
        _ => wide_run::<F32>,
    };
    let few: [RunFn; 2] = match E::DTYPE {
        DType::S8 => [flipped_rows::<2>, flipped_rows::<5>],
        DType::BF16 => [few_rows::<BF16, 2>, few_rows::<BF16, 5>],
        DType::F64 => [few_rows::<F64, 2>, few_rows::<F64, 5>],
        _ => [few_rows::<F32, 2>, few_rows::<F32, 5>],
    };
    let zipped_row: Option<(usize, ZippedFn)> = match E::DTYPE {
        DType::S8 => Some((64, zipped_bytes)),
        DType::BF16 => Some((32, zipped_pairs)),
        _ => None,
    };
    let (run, row, prepare): (BlockFn, BlockFn, _) = match E::DTYPE {
        DType::S8 => (shifted::<8>, shifted::<1>, Prepare::Shift),
        DType::BF16 => (wide::<BF16, 8>, wide::<BF16, 1>, Prepare::Widen),
        DType::F64 => (wide::<F64, 8>, wide::<F64, 1>, Prepare::Double),
        _ => (wide::<F32, 8>, wide::<F32, 1>, Prepare::Keep),
    };
    let (rows, columns) = (8, 32);
    let in_place = |run, run_packing| InPlace { rows: 6, columns: 64, run, run_packing };
    let in_place = match E::DTYPE {
        DType::F32 => Some(in_place(self::in_place::<F32>, packing::<F32>)),
        DType::F64 => Some(in_place(self::in_place::<F64>, packing::<F64>)),
        _ => None,
    };
    kernels.push(MicroKernel {
        elements: [E::DTYPE; 2],
        stacked: stacked(E::DTYPE),
        spread: 1,
        operands: None,
        table: &NO_TABLE,
        rows,
        columns,
        depth: 4096,
        direct: usize::MAX,
        chunk: 4,
        prepare,
        run,
        run_split: None,
        in_place,
        row,
        wide_row: (columns, wide_row),
        few_rows: Some([(2, columns, few[0]), (5, columns, few[1])]),
        many_rows: None,
        zipped_row,
        transpose: panels::transpose_of(E::DTYPE),
        tiles: None,
    });
    kernels.extend(twin::kernel([E::DTYPE; 2]));
    // Several blocks in depth, with blocks of `B` both read in place and copied.
    let shallow = |kernel: &MicroKernel| MicroKernel {
        depth: if kernel.tiles.is_some() { 35 } else { 5 },
        direct: 20,
        chunk: if kernel.tiles.is_some() { 16 } else { 5 },
        ..*kernel
    };
    let more: Vec<MicroKernel> = kernels.iter().map(shallow).collect();
    kernels.extend(more);
    kernels
}

/// A kernel of tiles, unchanged and with its number of rows lowered so that it always runs.
fn eager(kernel: MicroKernel) -> impl Iterator<Item = MicroKernel> {
    let eager = kernel
        .tiles
        .map(|tiles| MicroKernel { tiles: Some(TileKernel { fewest: 0, ..tiles }), ..kernel });
    [Some(kernel), eager].into_iter().flatten()
}

fn wide<E, const ROWS: usize>(block: &mut MicroBlock<'_>)
where
    ArrayVectors<E, 16>: Dot,
{
    multiply::<_, ROWS, 2>(ArrayVectors::<E, 16>::new(), block);
}

fn in_place<E>(factors: &Factors<'_>, block: &mut MicroBlock<'_>)
where
    ArrayVectors<E, 16>: SmallDot,
{
    multiply_in_place::<_, 6, 4>(ArrayVectors::<E, 16>::new(), factors, block);
}

fn packing<E>(factors: &Factors<'_>, block: &mut MicroBlock<'_>, packed: &mut [Word])
where
    ArrayVectors<E, 16>: SmallDot,
{
    multiply_packing::<_, 6, 4>(ArrayVectors::<E, 16>::new(), factors, block, packed);
}

fn wide_run<E>(run: &mut RowRun<'_>)
where
    ArrayVectors<E, 16>: Dot,
{
    multiply_run::<_, 1, 2>(ArrayVectors::<E, 16>::new(), run);
}

fn few_rows<E, const ROWS: usize>(run: &mut RowRun<'_>)
where
    ArrayVectors<E, 16>: Dot,
{
    multiply_run::<_, ROWS, 2>(ArrayVectors::<E, 16>::new(), run);
}

fn flipped_rows<const ROWS: usize>(run: &mut RowRun<'_>) {
    multiply_run::<_, ROWS, 2>(Dpbusd::<true>(ArrayVectors::new()), run);
}

fn zipped_pairs(run: &mut ZippedRun<'_>) {
    multiply_zipped::<_, 2>(ArrayVectors::<BF16, 16>::new(), run);
}

fn zipped_bytes(run: &mut ZippedRun<'_>) {
    multiply_zipped::<_, 4>(Dpbusd::<true>(ArrayVectors::new()), run);
}

/// Zips the elements of `SIZE` bytes of the low and of the high halves of each lane, one byte at a time.
fn zip<const SIZE: usize>(a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
    let [a, b] = [a, b].map(|words| words.map(u32::to_le_bytes));
    [0, 8].map(|half| {
        let mut zipped = [[0; 4]; 16];
        for (at, byte) in zipped.as_flattened_mut().iter_mut().enumerate() {
            let (element, within) = (at % 16 / SIZE, at % SIZE);
            let from = if element % 2 == 0 { &a } else { &b };
            *byte = from.as_flattened()[at / 16 * 16 + half + element / 2 * SIZE + within];
        }
        zipped.map(u32::from_le_bytes)
    })
}

/// The low and the high four bits of each byte.
fn zip_nibbles(a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
    let (low, high) = (0x0F0F_0F0F, 0xF0F0_F0F0);
    [
        core::array::from_fn(|i| a[i] & low | (b[i] & low) << 4),
        core::array::from_fn(|i| (a[i] & high) >> 4 | b[i] & high),
    ]
}

impl Zip for ArrayVectors<BF16, 16> {
    fn zip<const SIZE: usize>(self, a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
        zip::<SIZE>(a, b)
    }
    fn zip_nibbles(self, a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
        zip_nibbles(a, b)
    }
}

impl Zip for Dpbusd<true> {
    fn zip<const SIZE: usize>(self, a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
        zip::<SIZE>(a, b)
    }
    fn zip_nibbles(self, a: [u32; 16], b: [u32; 16]) -> [[u32; 16]; 2] {
        zip_nibbles(a, b)
    }
}

fn shifted<const ROWS: usize>(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(Dpbusd::<false>(ArrayVectors::new()), block);
}

/// Dot products of bytes as AVX-512 VNNI defines them: the bytes of `A`, or of `B`, are unsigned if 128 is added to them.
#[derive(Clone, Copy)]
struct Dpbusd<const FLIPPED: bool>(ArrayVectors<S8, 16>);

fn flipped(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, 2>(Dpbusd::<true>(ArrayVectors::new()), run);
}

impl<const FLIPPED: bool> Vectors for Dpbusd<FLIPPED> {
    type Vector = [u32; 16];
    const LANES: usize = 16;
    fn splat(self, word: u32) -> [u32; 16] {
        self.0.splat(word)
    }
    fn and(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        self.0.and(a, b)
    }
    /// # Safety
    /// As for [`Vectors::load`].
    unsafe fn load(self, from: *const Word) -> [u32; 16] {
        // SAFETY: the caller promises the same.
        unsafe { self.0.load(from) }
    }
    /// # Safety
    /// As for [`Vectors::store`].
    unsafe fn store(self, words: [u32; 16], to: *mut Word) {
        // SAFETY: the caller promises the same.
        unsafe { self.0.store(words, to) }
    }
}

impl<const FLIPPED: bool> Dot for Dpbusd<FLIPPED> {
    const PARTS: usize = 1;
    fn part(self, words: [u32; 16], _: usize) -> [u32; 16] {
        if FLIPPED { words.map(|word| word ^ panels::SHIFT) } else { words }
    }
    fn dot(self, sums: [u32; 16], a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        let (a, b) = if FLIPPED { (b, a) } else { (a, b) };
        core::array::from_fn(|i| {
            let pairs = a[i].to_le_bytes().into_iter().zip(b[i].to_le_bytes());
            let products = pairs.map(|(a, b)| i32::from(a) * i32::from(b as i8));
            sums[i].wrapping_add(products.sum::<i32>() as u32)
        })
    }
}

/// A product of packed matrices by one kernel.
fn product<S: super::types::Sum>(
    kernel: MicroKernel,
    a: entry::PackedMatrix<'_>,
    b: entry::PackedMatrix<'_>,
    c: (&TiledSpec, &mut [u8]),
) {
    let dims = [a.0.dims()[0], b.0.dims()[0], b.0.dims()[1]];
    entry::multiply::<S>(kernel, dims, a, b, c, None, None).unwrap();
}

/// A matrix with noise in its padding.
fn operand<E: Sample>(
    [rows, columns]: [usize; 2],
    layout: &str,
    values: &[E::Host],
) -> (TiledSpec, Vec<u8>) {
    let spec = spec(E::DTYPE, rows, columns, layout);
    let mut packed = spec.pack::<E>(values).unwrap();
    fill_padding(&spec, &mut packed);
    (spec, packed)
}

/// The sums of a product in `f64`, row by row, each with the largest error that a kernel may have.
fn exact_sums<E: Sample>([m, k, n]: [usize; 3], a: &[E::Host], b: &[E::Host]) -> Vec<(f64, f64)> {
    let [a, b] = [a, b].map(|values| values.iter().map(|x| E::exact(*x)).collect::<Vec<_>>());
    // The sum of `f64` with which it is compared has as many roundings.
    let roundings = match E::DTYPE {
        DType::F64 => (2 * k + 1) as f64 * 2f64.powi(-53),
        _ => (k + 1) as f64 * 2f64.powi(-24),
    };
    let mut sums = Vec::with_capacity(m * n);
    for i in 0..m {
        for j in 0..n {
            let (mut sum, mut size) = (0.0, 0.0);
            for x in 0..k {
                let product = a[i * k + x] * b[x * n + j];
                sum += product;
                size += f64::abs(product);
            }
            let bound =
                if E::DTYPE == DType::S8 { 0.0 } else { roundings / (1.0 - roundings) * size };
            sums.push((sum, bound));
        }
    }
    sums
}

/// Computes a product with one kernel, and compares each sum and the padding.
fn check_product<E: Sample>(
    kernel: MicroKernel,
    (a_spec, a): &(TiledSpec, Vec<u8>),
    (b_spec, b): &(TiledSpec, Vec<u8>),
    c_layout: &str,
    sums: &[(f64, f64)],
) {
    let [m, n] = [a_spec.dims()[0], b_spec.dims()[1]];
    let c_spec = spec(E::Sum::DTYPE, m, n, c_layout);
    let mut c_packed = vec![0xA5; c_spec.storage_bytes()];
    product::<E::Sum>(kernel, (a_spec, a), (b_spec, b), (&c_spec, &mut c_packed));
    let c = c_spec.unpack::<E::Sum>(&c_packed).unwrap();
    let text = || format!("{a_spec} * {b_spec} = {c_spec} with {kernel:?}");
    assert_eq!(c_packed, c_spec.pack::<E::Sum>(&c).unwrap(), "padding of {}", text());
    assert_eq!(c.len(), sums.len());
    for (at, (actual, (sum, bound))) in c.into_iter().zip(sums).enumerate() {
        let actual = E::sum(actual);
        assert!(
            (actual - sum).abs() <= *bound,
            "[{},{}] of {}: {actual}, but {sum} within {bound:e}",
            at / n,
            at % n,
            text()
        );
    }
}

/// Computes a product with one kernel, with noise in the padding of the operands.
fn check<E: Sample>(
    kernel: MicroKernel,
    dims: [usize; 3],
    layouts: [&str; 3],
    a: &[E::Host],
    b: &[E::Host],
) {
    let [m, k, n] = dims;
    let sums = exact_sums::<E>(dims, a, b);
    let [a, b] = [operand::<E>([m, k], layouts[0], a), operand::<E>([k, n], layouts[1], b)];
    check_product::<E>(kernel, &a, &b, layouts[2], &sums);
}

fn values<E: Sample>(random: &mut Random, count: usize, small: bool) -> Vec<E::Host> {
    let value = |random: &mut Random| {
        let n = random.below(256) as u8 as i8;
        if small {
            E::small(n / 16)
        } else {
            E::real(f32::from(n) / 128.0 + random.below(1 << 20) as f32 / 1e7)
        }
    };
    (0..count).map(|_| value(random)).collect()
}

/// All layouts of all operands with each kernel.
fn check_layouts<E: Sample>() {
    let mut random = Random(7);
    let [m, k, n] = [21, 27, 150];
    let a = values::<E>(&mut random, m * k, true);
    let b = values::<E>(&mut random, k * n, true);
    let sums = exact_sums::<E>([m, k, n], &a, &b);
    let [a_rows, b_rows, b_tiles] = [
        operand::<E>([m, k], "{1,0}", &a),
        operand::<E>([k, n], "{1,0}", &b),
        operand::<E>([k, n], "{1,0:T(8,128)}", &b),
    ];
    for layout in LAYOUTS {
        let [a, b] = [operand::<E>([m, k], layout, &a), operand::<E>([k, n], layout, &b)];
        for kernel in kernels::<E>() {
            check_product::<E>(kernel, &a, &b_tiles, "{1,0}", &sums);
            check_product::<E>(kernel, &a_rows, &b, "{1,0}", &sums);
            check_product::<E>(kernel, &a_rows, &b_rows, layout, &sums);
        }
    }
}

/// Any sizes up to 200 and any layouts.
fn check_random<E: Sample>() {
    let mut random = Random(8);
    let kernels = kernels::<E>();
    for round in 0..120 {
        let dims: [usize; 3] = core::array::from_fn(|_| match random.below(4) {
            0 => random.below(4),
            1 => random.below(40),
            _ => random.below(201),
        });
        let [m, k, n] = dims;
        let layouts = core::array::from_fn(|_| LAYOUTS[random.below(LAYOUTS.len())]);
        let is_small = random.below(2) == 0;
        let a = values::<E>(&mut random, m * k, is_small);
        let b = values::<E>(&mut random, k * n, is_small);
        check::<E>(kernels[round % kernels.len()], dims, layouts, &a, &b);
    }
}

#[test]
fn all_layouts_of_f32() {
    check_layouts::<F32>();
}

#[test]
fn all_layouts_of_f64() {
    check_layouts::<F64>();
}

#[test]
fn all_layouts_of_bf16() {
    check_layouts::<BF16>();
}

#[test]
fn all_layouts_of_s8() {
    check_layouts::<S8>();
}

#[test]
fn random_products_of_f32() {
    check_random::<F32>();
}

#[test]
fn random_products_of_f64() {
    check_random::<F64>();
}

#[test]
fn random_products_of_bf16() {
    check_random::<BF16>();
}

#[test]
fn random_products_of_s8() {
    check_random::<S8>();
}

#[test]
fn extreme_bytes_are_exact_and_sums_wrap() {
    for (a, b) in [(-128, -128), (-128, 127), (127, -128), (127, 127)] {
        let (a, b) = ([a; 9 * 999], [b; 999 * 2]);
        let sums = exact_sums::<S8>([9, 999, 2], &a, &b);
        let [a, b] = [operand::<S8>([9, 999], "{1,0}", &a), operand::<S8>([999, 2], "{1,0}", &b)];
        for kernel in kernels::<S8>() {
            check_product::<S8>(kernel, &a, &b, "{1,0}", &sums);
        }
    }
    for kernel in kernels::<S8>() {
        let [a, b, c] = [(DType::S8, 1, 131_072), (DType::S8, 131_072, 1), (DType::S32, 1, 1)]
            .map(|(dtype, rows, columns)| spec(dtype, rows, columns, "{1,0}"));
        let (bytes, mut sum) = (vec![0x80; 131_072], [0; 4]);
        product::<S32>(kernel, (&a, &bytes), (&b, &bytes), (&c, &mut sum));
        assert_eq!(i32::from_le_bytes(sum), i32::MIN);
    }
}

#[test]
fn few_rows_of_many_columns() {
    fn check_few<E: Sample>() {
        let mut random = Random(10);
        for (m, k, n) in [
            (1, 30, 2100),
            (1, 27, 2085),
            (2, 133, 1025),
            (7, 20, 1030),
            (9, 300, 130),
            (20, 300, 260),
            (33, 7, 1030),
            (37, 150, 420),
        ] {
            let a = values::<E>(&mut random, m * k, true);
            let b = values::<E>(&mut random, k * n, true);
            let b_layout = match E::DTYPE {
                DType::S8 => "{1,0:T(8,128)(4,1)}",
                DType::BF16 => "{1,0:T(8,128)(2,1)}",
                _ => "{1,0:T(8,128)}",
            };
            let sums = exact_sums::<E>([m, k, n], &a, &b);
            let a = operand::<E>([m, k], "{1,0}", &a);
            // Words that are read in place, and words that are assembled.
            for b in [b_layout, "{1,0}"].map(|layout| operand::<E>([k, n], layout, &b)) {
                for (number, kernel) in kernels::<E>().into_iter().enumerate() {
                    // Each kernel writes both layouts, in turn.
                    let c_layout = ["{1,0}", "{1,0:T(8,128)}"][(number + m) % 2];
                    check_product::<E>(kernel, &a, &b, c_layout, &sums);
                }
            }
        }
    }
    check_few::<F32>();
    check_few::<F64>();
    check_few::<BF16>();
    check_few::<S8>();
}

/// Tall enough for threads to share the rows, if there are threads.
#[test]
fn tall_products() {
    fn check_tall<E: Sample>() {
        let mut random = Random(9);
        let [m, k, n] = [470, 400, 24];
        let (a, b) =
            (values::<E>(&mut random, m * k, false), values::<E>(&mut random, k * n, false));
        let row_major = ["{1,0}"; 3];
        let tiles = ["{1,0:T(8,128)(2,1)}", "{1,0:T(8,128)(4,1)}", "{1,0:T(8,128)}"];
        for layouts in [row_major, tiles] {
            check::<E>(MicroKernel::choose([E::DTYPE; 2]), [m, k, n], layouts, &a, &b);
        }
    }
    let all = || {
        check_tall::<F32>();
        check_tall::<F64>();
        check_tall::<BF16>();
        check_tall::<S8>();
    };
    #[cfg(feature = "parallel")]
    rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap().install(all);
    #[cfg(not(feature = "parallel"))]
    all();
}
