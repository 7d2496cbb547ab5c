//! The tile registers of AMX, one word at a time: the micro-kernel of tiles for CPUs that lack them.

use super::super::choose::{MicroKernel, Prepare, TileKernel};
use super::super::grid::Word;
use super::super::lanes::MicroBlock;
use super::super::tiles::{self, COLUMNS, GATHERED_STRIDE, ROWS, TILE_ROWS, TileBlock, Tiles};
use super::super::types;
use layout_core::dtype::DType;

/// The sum that products are added to, and the products of the elements of words.
type Dot = fn(u32, &[u32; TILE_ROWS], &[u32; TILE_ROWS]) -> u32;

/// Tiles whose dot products a function takes.
#[derive(Clone, Copy)]
struct Twin(Dot);

impl<const TALL: usize> Tiles<TALL> for Twin {
    /// # Safety
    /// As [`Tiles::run`].
    unsafe fn run(self, block: TileBlock) {
        let word = |from: *const Word, stride: usize, row: usize, column: usize| {
            // SAFETY: as the caller promises: the row has 32 words, and there are as many rows as are asked for.
            u32::from_le_bytes(unsafe { *from.byte_add(row * stride).add(column) })
        };
        let mut sums = [[0; COLUMNS]; ROWS];
        if block.adds {
            for (row, sums) in sums.iter_mut().enumerate().take(TALL * TILE_ROWS) {
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum = word(block.c, block.c_stride, row, column);
                }
            }
        }
        let steps = block.steps + usize::from(!block.last.is_null());
        for step in 0..steps {
            let (b, stride) = match step == block.steps {
                true => (block.last, GATHERED_STRIDE),
                // SAFETY: as the caller promises.
                false => (unsafe { block.b.byte_add(step * block.b_step) }, block.b_stride),
            };
            for (row, sums) in sums.iter_mut().enumerate().take(TALL * TILE_ROWS) {
                let a: [u32; TILE_ROWS] = core::array::from_fn(|k| {
                    let at = (step * TALL * TILE_ROWS + row) * TILE_ROWS + k;
                    // SAFETY: as the caller promises.
                    unsafe { *block.a.add(at) }
                });
                for (column, sum) in sums.iter_mut().enumerate() {
                    let b = core::array::from_fn(|k| word(b, stride, k, column));
                    *sum = (self.0)(*sum, &a, &b);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate().take(TALL * TILE_ROWS) {
            for (column, sum) in sums.iter().enumerate() {
                // SAFETY: as the caller promises.
                unsafe { *block.c.byte_add(row * block.c_stride).add(column) = sum.to_le_bytes() };
            }
        }
    }
}

/// `tdpbf16ps`: the products of the first elements of words are summed up on their own, as are those of the second ones,
/// each rounded once with the sum; numbers smaller than 2^-126 count as zero before and after every operation.
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

/// The dot products of bytes: the sum wraps.
fn bytes<const A_SIGNED: bool, const B_SIGNED: bool>(
    sum: u32,
    a: &[u32; TILE_ROWS],
    b: &[u32; TILE_ROWS],
) -> u32 {
    let number = |byte: u8, signed| if signed { i32::from(byte as i8) } else { byte.into() };
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.to_le_bytes().into_iter().zip(b.to_le_bytes()));
    let products = pairs.map(|(a, b)| number(a, A_SIGNED) * number(b, B_SIGNED));
    sum.wrapping_add_signed(products.sum())
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
                unsafe { tiles::multiply::<_, 2>(Twin($dot), block) }
            }
            /// # Safety
            /// None: there are no registers.
            unsafe fn short(block: &mut MicroBlock<'_>) {
                // SAFETY: as above.
                unsafe { tiles::multiply::<_, 1>(Twin($dot), block) }
            }
            let functions: [BlockFn; 2] = [tall, short];
            functions
        }};
    }
    let panel = types::panel(operands);
    let elements = match panel {
        BF16 => [BF16; 2],
        S8 | S16 => operands.map(|dtype| if dtype == U8 { U8 } else { S8 }),
        _ => return None,
    };
    let [run, short] = match elements {
        [BF16, _] => functions!(bf16),
        [U8, U8] => functions!(bytes::<false, false>),
        [U8, _] => functions!(bytes::<false, true>),
        [_, U8] => functions!(bytes::<true, false>),
        _ => functions!(bytes::<true, true>),
    };
    /// There are no registers.
    fn nothing() {}
    let tiles = TileKernel { fewest: 0, short, configure: nothing, release: nothing };
    Some(MicroKernel {
        elements,
        rows: ROWS,
        columns: COLUMNS,
        depth: 48,
        chunk: 32,
        prepare: Prepare::Lines,
        run,
        run_split: None,
        tiles: Some(tiles),
        ..MicroKernel::portable(panel)
    })
}
