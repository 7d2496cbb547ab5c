//! Assembles rows in the L1 cache before they are streamed.

use super::copy::{Mode, stream};
use super::interleave::{RowGroup, deinterleave};
use super::task::AHEAD;
use crate::cpu::{Instructions, LINE, prefetch};
use crate::movement::step::Step;

/// The bytes of a row that are written before the next row. With fewer, alternating between rows flushes half-filled lines;
/// with more, reads are too far apart.
pub(crate) const PIECE: usize = 512;

/// The number of rows in the stage: the height of the tallest of the usual tiles. With half a tile at a time, each page would be
/// read twice.
const ROWS: usize = 32;

/// A row in the stage. Its size is not a power of two, so that rows do not share the sets of the cache.
type Row = [u8; PIECE + LINE];

#[repr(align(64))]
struct Stage([Row; ROWS]);

/// Whether the runs of a batch, of `run` bytes each, are contiguous and fit in a row of the stage.
#[inline(always)]
pub(super) fn fits_stage(step: &Step, run: usize) -> bool {
    let [.., along] = step.outer;
    along.destination == run && step.batch * run <= PIECE
}

/// Deinterleaves rows: the rows of several tiles are assembled in the stage, and streamed row by row. For each line that is
/// streamed, a line that will be read is prefetched, in reading order, so that reads and writes of memory alternate evenly. To
/// unpack `bf16[1000,1024]{1,0:T(8,128)(2,1)}`, a run is 128 columns of a row, 256 bytes, and a batch is two tiles: the 4 pairs of
/// rows in these tiles become 8 rows of 512 bytes in the stage, each of which is streamed as 8 lines.
///
/// # Safety
/// The step must fit in the stage and be within two arrays that do not overlap.
#[inline(always)]
pub(super) unsafe fn deinterleaved<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    let mut stage = Stage([[0; PIECE + LINE]; ROWS]);
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let staged = RowGroup { row_stride: size_of::<Row>(), ..group };
    let ([a, b, across, along], run) = (step.outer, group.count * N);
    let most = const { ROWS / P };
    let groups = AHEAD / (across.count.min(most) * P * run).max(1);
    let ahead = along.source * groups.max(step.batch);
    for number in 0..a.count * b.count {
        let (i, j) = (number / b.count, number % b.count);
        let from = from.wrapping_add(i * a.source + j * b.source);
        let to = to.wrapping_add(i * a.destination + j * b.destination);
        for first in (0..along.count).step_by(step.batch) {
            let count = step.batch.min(along.count - first);
            let (from, to) =
                (from.wrapping_add(first * along.source), to.wrapping_add(first * run));
            for first in (0..across.count).step_by(most) {
                let rows = most.min(across.count - first);
                let from = from.wrapping_add(first * across.source);
                let to = to.wrapping_add(first * across.destination);
                // SAFETY: in each step across, each of the `P` rows has `count` consecutive runs, and the stage has room for them.
                unsafe {
                    for k in 0..rows {
                        let from = from.add(k * across.source);
                        let to = stage.add(k * P * size_of::<Row>());
                        for l in 0..count {
                            let (from, to) = (from.add(l * along.source), to.add(l * run));
                            deinterleave::<I, N, P, false, _>(simd, from, to, staged, Mode::NEAR);
                        }
                    }
                    let pieces = [(rows, across.source), (count, along.source)];
                    let mut asked = Asked::new(from.wrapping_add(ahead), P * run, pieces);
                    for k in 0..rows {
                        let to = to.add(k * across.destination);
                        for row in 0..group.rows {
                            let from = stage.add((k * P + row) * size_of::<Row>());
                            let to = to.add(row * group.row_stride);
                            stream(simd, from, to, count * run, |_| prefetch(asked.next()));
                        }
                    }
                }
            }
        }
    }
}

/// The addresses of the lines to prefetch, which are the lines of pieces of bytes along two axes.
struct Asked {
    at: *const u8,
    axes: [Countdown; 3],
}

/// A loop along an axis that counts the steps left.
struct Countdown {
    left: usize,
    count: usize,
    /// The bytes to the next step, from the end of the loop within.
    step: usize,
}

impl Asked {
    #[inline(always)]
    fn new(at: *const u8, piece: usize, [(a, a_step), (b, b_step)]: [(usize, usize); 2]) -> Self {
        let lines = piece.div_ceil(LINE);
        let countdown = |count, step| Countdown { left: count, count, step };
        let axes = [
            countdown(lines, LINE),
            countdown(a, a_step.wrapping_sub(lines * LINE)),
            countdown(b, b_step.wrapping_sub(a * a_step)),
        ];
        Self { at, axes }
    }

    #[inline(always)]
    fn next(&mut self) -> *const u8 {
        let at = self.at;
        for axis in &mut self.axes {
            self.at = self.at.wrapping_add(axis.step);
            axis.left -= 1;
            if axis.left > 0 {
                break;
            }
            axis.left = axis.count;
        }
        at
    }
}
