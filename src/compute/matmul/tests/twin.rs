//! The tile registers of AMX, emulated one word at a time: the micro-kernel of tiles for CPUs that lack them.

use super::super::epilogue::Epilogue;
use super::super::grid::Word;
use super::super::lanes::{LINE_WORDS, MicroBlock};
use super::super::micro_kernel::{MicroKernel, Prepare, stacked};
use super::super::shallow_tiles::{self, ShallowBlock, ShallowTiles};
use super::super::tile_kernels::{TileFns, TileKernel};
use super::super::tiles::{
    self, COLUMNS, GATHERED_STRIDE, ROWS, TILE_ROWS, TileBlocks, TileColumn, Tiles,
};
use super::super::{entry, types};
use super::{eager, product, spec};
use crate::element::{F32, S32};
use crate::movement::tests::reference::Random;
use core::cell::Cell;
use layout_core::dtype::DType;

std::thread_local! {
    /// Whether the registers of this thread are configured.
    static CONFIGURED: Cell<bool> = const { Cell::new(false) };
}

fn configure(_: usize, _: usize) {
    assert!(!CONFIGURED.replace(true), "the registers of this thread are in use");
}

fn release() {
    assert!(CONFIGURED.replace(false), "the registers of this thread have been released");
}

/// A dot product: takes the sum to which products are added, and the words whose elements are multiplied.
type Dot = fn(u32, &[u32; TILE_ROWS], &[u32; TILE_ROWS]) -> u32;

/// Tiles whose dot products a function computes.
#[derive(Clone, Copy)]
struct Twin(Dot);

impl Twin {
    /// Adds the products of tiles to the sums of `rows` rows: `depth` words of each row, and as many rows of words of 32 columns.
    ///
    /// # Safety
    /// Rows of 16 words must be readable at `a`, and `depth` rows of words at `b`, `stride` bytes apart.
    unsafe fn add(
        self,
        sums: &mut [[u32; COLUMNS]],
        a: *const u32,
        (b, stride): (*const Word, usize),
        depth: usize,
    ) {
        assert!(CONFIGURED.get(), "the registers of this thread are not configured");
        let in_depth = |word: &dyn Fn(usize) -> u32| {
            core::array::from_fn(|k| if k < depth { word(k) } else { 0 })
        };
        for (row, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the caller promises the words.
            let a = in_depth(&|k| unsafe { *a.add(row * TILE_ROWS + k) });
            for (column, sum) in sums.iter_mut().enumerate() {
                // SAFETY: as above.
                let b = in_depth(&|k| unsafe { word(b, stride, k, column) });
                *sum = (self.0)(*sum, &a, &b);
            }
        }
    }
}

/// A word of a row of 32 words.
///
/// # Safety
/// It must be readable.
unsafe fn word(from: *const Word, stride: usize, row: usize, column: usize) -> u32 {
    // SAFETY: the caller promises it.
    u32::from_le_bytes(unsafe { *from.byte_add(row * stride).add(column) })
}

/// The sums of some rows of a block, or zeros.
///
/// # Safety
/// Rows of 32 sums must be readable if `adds`.
unsafe fn load(c: *const Word, stride: usize, rows: usize, adds: bool) -> Vec<[u32; COLUMNS]> {
    let sum = |row, column| match adds {
        // SAFETY: the caller promises the rows.
        true => unsafe { word(c, stride, row, column) },
        false => 0,
    };
    (0..rows).map(|row| core::array::from_fn(|column| sum(row, column))).collect()
}

/// Writes the sums of a block.
///
/// # Safety
/// Rows of 32 sums must be writable.
unsafe fn store(sums: &[[u32; COLUMNS]], c: *mut Word, stride: usize) {
    for (row, sums) in sums.iter().enumerate() {
        for (column, sum) in sums.iter().enumerate() {
            // SAFETY: the caller promises the rows.
            unsafe { *c.byte_add(row * stride).add(column) = sum.to_le_bytes() };
        }
    }
}

impl<const TALL: usize, const FEW: bool> Tiles<TALL, FEW> for Twin {
    /// # Safety
    /// As for [`Tiles::run`].
    unsafe fn run(self, blocks: TileBlocks) -> usize {
        let mut copied = 0;
        for block in 0..blocks.blocks {
            // SAFETY: the caller promises all words.
            unsafe {
                let c = blocks.c.byte_add(block * blocks.c_next);
                let mut sums = load(c, blocks.c_stride, TALL * TILE_ROWS, blocks.adds != 0);
                for step in 0..blocks.steps + usize::from(!blocks.last.is_null()) {
                    let b = match step == blocks.steps {
                        true => (blocks.last, GATHERED_STRIDE),
                        false => (blocks.b.byte_add(step * blocks.b_step), blocks.b_stride),
                    };
                    let a = blocks.a.byte_add(block * blocks.a_next);
                    let a = a.add(step * TALL * TILE_ROWS * TILE_ROWS);
                    self.add(&mut sums, a, b, TILE_ROWS);
                    for end in [blocks.rows_end, blocks.second_end] {
                        let row = blocks.rows_at.wrapping_add(copied);
                        if row < end {
                            let from = blocks.from.add(copied * COLUMNS);
                            from.copy_to(blocks.to.add(*row), COLUMNS);
                            copied += 1;
                        }
                    }
                }
                store(&sums, c, blocks.c_stride);
            }
        }
        copied
    }
}

impl<const TALL: usize, const DEPTH: usize> ShallowTiles<TALL, DEPTH> for Twin {
    /// # Safety
    /// As for [`ShallowTiles::run_shallow`].
    unsafe fn run_shallow(self, block: ShallowBlock) {
        let ShallowBlock { c, c_stride, adds, .. } = block;
        assert!(block.steps > 0);
        // SAFETY: the caller promises all words.
        unsafe {
            let mut sums = load(c, c_stride, TALL * TILE_ROWS, adds);
            for step in 0..block.steps {
                let (line, at) = (step * DEPTH / LINE_WORDS, step * DEPTH % LINE_WORDS);
                let a = block.a.add(line * TALL * TILE_ROWS * LINE_WORDS + at);
                let b = block.b.byte_add(step * block.b_step);
                self.add(&mut sums, a, (b, block.b_stride), DEPTH);
            }
            store(&sums, c, c_stride);
        }
    }
}

/// `tdpbf16ps`: the products of the first elements of words are summed up separately from those of the second elements, and
/// each product is added with a single rounding; numbers smaller than 2^-126 count as zero before and after every operation.
fn bf16(sum: u32, a: &[u32; TILE_ROWS], b: &[u32; TILE_ROWS]) -> u32 {
    let flushed = |x: f32| if x.is_subnormal() { 0.0_f32.copysign(x) } else { x };
    let halves = [0, 1].map(|half| {
        a.iter().zip(b).fold(0.0_f32, |sum, (a, b)| {
            let [a, b] = [a, b].map(|word| match half {
                0 => f32::from_bits(word << 16),
                _ => f32::from_bits(word & 0xFFFF_0000),
            });
            flushed(flushed(a).mul_add(flushed(b), sum))
        })
    });
    let products = flushed(halves[0] + halves[1]);
    flushed(flushed(f32::from_bits(sum)) + products).to_bits()
}

/// The dot products of bytes; the sum wraps.
fn bytes<const A_SIGNED: bool, const B_SIGNED: bool>(
    sum: u32,
    a: &[u32; TILE_ROWS],
    b: &[u32; TILE_ROWS],
) -> u32 {
    let number = |word: u32, byte: u32, signed| match signed {
        true => i32::from((word >> (8 * byte)) as i8),
        false => (word >> (8 * byte) & 0xFF).cast_signed(),
    };
    let mut products = 0;
    for (a, b) in a.iter().zip(b) {
        for byte in 0..4 {
            products += number(*a, byte, A_SIGNED) * number(*b, byte, B_SIGNED);
        }
    }
    sum.wrapping_add_signed(products)
}

/// The kernel for these types of operands, if it is one of tiles, for any number of rows.
pub(super) fn kernel(operands: [DType; 2]) -> Option<MicroKernel> {
    use DType::{BF16, S8, S16, U8};
    type BlockFn = unsafe fn(&mut MicroBlock<'_>);
    macro_rules! functions {
        ($dot:expr) => {{
            /// # Safety
            /// None: there are no registers.
            unsafe fn tall(block: &mut MicroBlock<'_>) {
                // SAFETY: the twin needs no registers.
                unsafe { tiles::multiply::<_, 2, false>(Twin($dot), block) }
            }
            /// # Safety
            /// None: there are no registers.
            unsafe fn short(block: &mut MicroBlock<'_>) {
                // SAFETY: as above.
                unsafe { tiles::multiply::<_, 1, true>(Twin($dot), block) }
            }
            /// # Safety
            /// None: there are no registers.
            unsafe fn tall_column(column: &mut TileColumn<'_>) {
                // SAFETY: as above.
                unsafe { tiles::multiply_column::<_, 2, false>(Twin($dot), column) }
            }
            /// # Safety
            /// None: there are no registers.
            unsafe fn short_column(column: &mut TileColumn<'_>) {
                // SAFETY: as above.
                unsafe { tiles::multiply_column::<_, 1, true>(Twin($dot), column) }
            }
            /// # Safety
            /// None: there are no registers.
            unsafe fn shallow<const TALL: usize, const DEPTH: usize>(block: &mut MicroBlock<'_>) {
                // SAFETY: as above.
                unsafe { shallow_tiles::multiply::<_, TALL, DEPTH>(Twin($dot), block) }
            }
            let functions: [TileFns; 2] = [(tall, tall_column), (short, short_column)];
            let shallow: [[BlockFn; 2]; 4] = [
                [shallow::<1, 2>, shallow::<2, 2>],
                [shallow::<1, 4>, shallow::<2, 4>],
                [shallow::<1, 8>, shallow::<2, 8>],
                [shallow::<1, 16>, shallow::<2, 16>],
            ];
            (functions, shallow)
        }};
    }
    let panel = types::panel(operands);
    let elements = match panel {
        BF16 => [BF16; 2],
        S8 | S16 => operands.map(|dtype| if dtype == U8 { U8 } else { S8 }),
        _ => return None,
    };
    let ([tall, short], shallow) = match elements {
        [BF16, _] => functions!(bf16),
        [U8, U8] => functions!(bytes::<false, false>),
        [U8, _] => functions!(bytes::<false, true>),
        [_, U8] => functions!(bytes::<true, false>),
        _ => functions!(bytes::<true, true>),
    };
    let (height, words) = (tiles::TILE_ROWS, LINE_WORDS);
    let (run, column) = tall;
    let tiles = TileKernel {
        fewest: 0,
        column,
        few: tall,
        short,
        shallow,
        height,
        words,
        configure,
        release,
    };
    Some(MicroKernel {
        elements,
        stacked: stacked(elements[1]),
        rows: ROWS,
        columns: COLUMNS,
        depth: 48,
        prepare: Prepare::Lines,
        run,
        run_split: None,
        tiles: Some(tiles),
        ..MicroKernel::portable(panel)
    })
}

/// Bytes of elements: any bits, or `bf16` whose products are about 2^-126.
fn bytes_of(random: &mut Random, dtype: DType, count: usize, small: bool) -> Vec<u8> {
    if dtype != DType::BF16 || !small {
        return (0..count * dtype.byte_width()).map(|_| random.below(256) as u8).collect();
    }
    let mut element = || {
        let exponent = 127 - 63 + random.below(5) as u16 - 2;
        (random.below(2) as u16) << 15 | exponent << 7 | random.below(128) as u16
    };
    (0..count).flat_map(|_| element().to_le_bytes()).collect()
}

/// The tile registers of the CPU, if it has them, compute the same bits as the twin.
#[test]
fn the_twin_has_the_bits_of_the_cpu() {
    use DType::{BF16, F32 as F, S8, S32 as S, U8};
    let mut random = Random(16);
    for operands in [[BF16; 2], [S8; 2], [S8, U8], [U8, S8], [U8; 2]] {
        let twin = kernel(operands).expect("a kernel of tiles");
        let mut cpu = None;
        MicroKernel::each(operands, |kernel| cpu = kernel.tiles.map(|tiles| (kernel.run, tiles)));
        let Some((run, tiles)) = cpu else {
            eprintln!("not run: this CPU has no tile registers for {operands:?}");
            continue;
        };
        let cpu = MicroKernel { run, tiles: Some(TileKernel { fewest: 0, ..tiles }), ..twin };
        for round in 0..12 {
            let [m, k, n] = [1, 1, 1].map(|least| least + random.below(80));
            let [a, b] = [(operands[0], m * k), (operands[1], k * n)]
                .map(|(dtype, count)| bytes_of(&mut random, dtype, count, round % 2 == 0));
            let [a_spec, b_spec] =
                [spec(operands[0], m, k, "{1,0}"), spec(operands[1], k, n, "{1,0}")];
            let c_spec = spec(if operands[0] == BF16 { F } else { S }, m, n, "{1,0}");
            let [twin, cpu] = [twin, cpu].map(|kernel| {
                let mut c = vec![0; m * n * 4];
                let (a, b) = ((&a_spec, &a[..]), (&b_spec, &b[..]));
                match operands[0] {
                    BF16 => product::<F32>(kernel, a, b, (&c_spec, &mut c)),
                    _ => product::<S32>(kernel, a, b, (&c_spec, &mut c)),
                }
                c
            });
            for (twin, cpu) in twin.as_chunks().0.iter().zip(cpu.as_chunks().0) {
                // Emulators have been seen to flush results of up to 2^-125.
                let close = |a: f32, b: f32| {
                    a.is_nan() && b.is_nan() || (a - b).abs() <= k as f32 * 2f32.powi(-125)
                };
                let [a, b] = [*twin, *cpu].map(f32::from_le_bytes);
                let same = twin == cpu || operands[0] == BF16 && close(a, b);
                let text = || format!("{a_spec} * {b_spec}: {cpu:?}, but {twin:?}");
                assert!(same, "{}", text());
            }
        }
    }
}

/// Adds the element of a product, which it computes itself, to each number.
struct Nested(MicroKernel);

impl Epilogue<f32> for Nested {
    fn apply(&self, _: usize, _: usize, _: usize, numbers: &mut [f32]) {
        let [ones, sum] = [spec(DType::BF16, 20, 20, "{1,0}"), spec(DType::F32, 20, 20, "{1,0}")];
        let (bytes, mut c) = ([0x80, 0x3F].repeat(400), vec![0; 1600]);
        product::<F32>(self.0, (&ones, &bytes), (&ones, &bytes), (&sum, &mut c));
        let element = f32::from_le_bytes(c[1596..].try_into().unwrap());
        numbers.iter_mut().for_each(|x| *x += element);
    }
}

/// The registers of a thread are free when an epilogue runs.
#[test]
fn an_epilogue_may_multiply_matrices() {
    let mut kernels: Vec<_> = kernel([DType::BF16; 2]).into_iter().collect();
    MicroKernel::each([DType::BF16; 2], |kernel| kernels.extend(eager(kernel)));
    for kernel in kernels {
        // Few rows, and more rows.
        for m in [20, 100] {
            let (k, n) = (40, 70);
            let a = spec(DType::BF16, m, k, "{1,0}");
            let b = spec(DType::BF16, k, n, "{1,0:T(8,128)(2,1)}");
            let [a_bytes, b_bytes] = [&a, &b].map(|x| [0x80, 0x3F].repeat(x.storage_bytes() / 2));
            let c = spec(DType::F32, m, n, "{1,0}");
            let mut sums = vec![0; m * n * 4];
            entry::multiply::<F32>(
                kernel,
                [m, k, n],
                (&a, &a_bytes),
                (&b, &b_bytes),
                (&c, &mut sums),
                None,
                Some((&Nested(kernel), 0)),
            )
            .unwrap();
            let sums = sums.as_chunks().0.iter().map(|sum| f32::from_le_bytes(*sum));
            assert!(sums.into_iter().all(|sum| sum == 60.0), "{kernel:?}");
        }
    }
}
