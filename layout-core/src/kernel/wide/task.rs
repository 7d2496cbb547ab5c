//! Which kernel moves a block.

use super::copy::{self, Mode};
use super::cpu::{Cpu, Instructions, LINE, for_cpu, streams};
use super::interleave::{Turns, deinterleave, interleave};
use super::transpose::strided;
use crate::kernel::execute::{AXES, Axis, Block, Mover};
use core::marker::PhantomData;

/// Moves elements of whole bytes, of the same width on both sides.
pub(in crate::kernel) struct Whole<'a> {
    arrays: Arrays<'a>,
    width: usize,
}

/// The two arrays, and how to move between them.
struct Arrays<'a> {
    source: *const u8,
    source_len: usize,
    destination: *mut u8,
    destination_len: usize,
    cpu: Cpu,
    stream: bool,
    /// Whether padding next to elements of the destination is zero, so that it may be written with them.
    zero_padding: bool,
    borrow: PhantomData<(&'a [u8], &'a mut [u8])>,
}

impl<'a> Arrays<'a> {
    fn new(source: &'a [u8], destination: &'a mut [u8], cpu: Cpu, zero_padding: bool) -> Self {
        Self {
            source: source.as_ptr(),
            source_len: source.len(),
            stream: streams(source.len(), destination.len()),
            destination_len: destination.len(),
            destination: destination.as_mut_ptr(),
            cpu,
            zero_padding,
            borrow: PhantomData,
        }
    }

    /// Pointers to the first elements of a block whose numbers and strides are in bytes.
    ///
    /// # Panics
    /// If the block reaches out of either array.
    #[inline]
    fn pointers(&self, block: &Block, width: usize) -> (*const u8, *mut u8) {
        let reach =
            block.axes.iter().fold([block.from + width, block.to + width], |[from, to], axis| {
                [from + (axis.count - 1) * axis.source, to + (axis.count - 1) * axis.destination]
            });
        assert!(
            reach[0] <= self.source_len && reach[1] <= self.destination_len,
            "a plan leaves its arrays"
        );
        (self.source.wrapping_add(block.from), self.destination.wrapping_add(block.to))
    }

    /// Whether sides that were cut short may be read from the source, and written to the destination, in full: there
    /// is padding behind them, within the array.
    #[inline]
    fn missing(&self, block: &Block, width: usize) -> (bool, bool) {
        let mut reach = [block.from + width, block.to + width];
        for (at, axis) in block.axes.iter().enumerate() {
            let last = if at < AXES - 2 { axis.count } else { axis.size } - 1;
            reach = [reach[0] + last * axis.source, reach[1] + last * axis.destination];
        }
        (reach[0] <= self.source_len, reach[1] <= self.destination_len && self.zero_padding)
    }
}

/// A fence after streamed stores, whatever ends the work.
impl Drop for Arrays<'_> {
    fn drop(&mut self) {
        if self.stream {
            super::cpu::fence();
        }
    }
}

impl<'a> Whole<'a> {
    /// Moves elements of `width` bytes from one array to the other; neither need be aligned.
    pub(in crate::kernel) fn new(
        source: &'a [u8],
        destination: &'a mut [u8],
        width: usize,
        cpu: Cpu,
        zero_padding: bool,
    ) -> Self {
        Self { arrays: Arrays::new(source, destination, cpu, zero_padding), width }
    }
}

impl Mover for Whole<'_> {
    fn block(&mut self, block: &Block) {
        let (mut block, mut width) = (block.bytes(self.width), self.width);
        if block.axes.iter().any(|axis| axis.count == 0) {
            return;
        }
        block.widen(&mut width);
        let (from, to) = self.arrays.pointers(&block, width);
        let (missing_from, missing_to) = self.arrays.missing(&block, width);
        let task = &Task {
            from,
            to,
            axes: block.axes,
            width,
            stream: self.arrays.stream,
            missing_from,
            missing_to,
        };
        // SAFETY: the block lies within the arrays, which do not overlap, one of them being borrowed mutably; missing
        // rows are padding that lies between rows that there are. The CPU has been asked for its instructions.
        unsafe { for_cpu!(self.arrays.cpu, run(task: &Task)) };
    }
}

impl Block {
    /// The block with numbers and strides in bytes.
    fn bytes(&self, width: usize) -> Self {
        let bytes = |axis: Axis| Axis {
            source: axis.source * width,
            destination: axis.destination * width,
            ..axis
        };
        Self { from: self.from * width, to: self.to * width, axes: self.axes.map(bytes) }
    }

    /// Makes a short run of elements, contiguous in both arrays, one wider element.
    fn widen(&mut self, width: &mut usize) {
        let run = self.axes[AXES - 1];
        let wide = run.count * *width;
        if run.source == *width && run.destination == *width && matches!(wide, 2 | 4 | 8 | 16) {
            *width = wide;
            self.axes.copy_within(..AXES - 1, 1);
            self.axes[0] = Axis::UNIT;
        }
    }
}

/// A block on its way to a kernel, in bytes.
struct Task {
    from: *const u8,
    to: *mut u8,
    axes: [Axis; AXES],
    width: usize,
    stream: bool,
    /// Whether rows that are missing may be read, and written as zeros.
    missing_from: bool,
    missing_to: bool,
}

impl Task {
    /// How to write, where a kernel reads `run` bytes in a row and is then called for the next rectangle.
    #[inline(always)]
    fn mode(&self, run: usize) -> Mode {
        let [a, b, ..] = self.axes;
        // The next rectangle may go on where this one ends; else it is as far as the innermost side that there is.
        let goes_on = (a.count > 1 && a.source == run) || (b.count > 1 && b.source == run);
        let step = if b.count > 1 { b.source } else { a.source };
        Mode { stream: self.stream, ahead: if goes_on || step == 0 { 1024 } else { 4 * step } }
    }
}

/// # Safety
/// The block must lie within two arrays that do not overlap, and the CPU must have the instructions.
#[inline(always)]
unsafe fn run<I: Instructions>(task: &Task) {
    // SAFETY: passed on.
    unsafe {
        match task.width {
            1 => sized::<I, 1>(task),
            2 => sized::<I, 2>(task),
            4 => sized::<I, 4>(task),
            8 => sized::<I, 8>(task),
            _ => sized::<I, 16>(task),
        }
    }
}

/// # Safety
/// As [`run`].
#[inline(always)]
unsafe fn sized<I: Instructions, const N: usize>(task: &Task) {
    let [.., outer, inner] = task.axes;
    let mode = task.mode(inner.count.max(outer.count) * N);
    // SAFETY: passed on; each kernel stays within the rectangle that it is given.
    unsafe {
        if inner.source == N && inner.destination == N {
            return each(task, |from, to| {
                for i in 0..outer.count {
                    let (from, to) = (from.add(i * outer.source), to.add(i * outer.destination));
                    copy::run::<I>(from, to, inner.count * N, mode);
                }
            });
        }
        let rows = inner.rows(N, outer.source, outer.destination, task.missing_to);
        macro_rules! interleave { ($($P:literal)*) => { match rows { $(
            Some($P) => {
                let (rows, row_stride, count) = (inner.count, inner.source, outer.count);
                let turns = Turns { rows, row_stride, count, line_stride: LINE };
                return each(task, |from, to| interleave::<I, N, $P>(from, to, turns, mode));
            }
        )* _ => {} } } }
        if inner.destination == N {
            interleave!(2 4 8);
        }
        let group = outer.rows(N, inner.destination, inner.source, task.missing_from);
        macro_rules! deinterleave { ($($P:literal)*) => { match group { $(
            Some($P) => {
                let (rows, row_stride, count) = (outer.count, outer.destination, inner.count);
                let turns = Turns { rows, row_stride, count, line_stride: LINE };
                return each(task, |from, to| deinterleave::<I, N, $P>(from, to, turns, mode));
            }
        )* _ => {} } } }
        if outer.source == N {
            deinterleave!(2 4 8);
        }
        each(task, |from, to| strided::<N>(from, to, [outer, inner]));
    }
}

impl Axis {
    /// The rows that take turns along this axis, if elements that are contiguous in one array (`unit` apart) lie in
    /// groups in the other (`group` apart) that this axis fills, or would if it were not cut short.
    #[inline(always)]
    fn rows(&self, width: usize, unit: usize, group: usize, cut_short: bool) -> Option<usize> {
        let whole = unit == width && group == self.size * width;
        (whole && (self.count == self.size || cut_short)).then_some(self.size)
    }
}

/// Runs a kernel on each rectangle of the two innermost sides.
///
/// # Safety
/// As [`run`].
#[inline(always)]
unsafe fn each(task: &Task, kernel: impl Fn(*const u8, *mut u8)) {
    let [a, b, ..] = task.axes;
    // Streaming wants lines that follow each other in the destination, and reads that do in the source: where the two
    // orders differ, a few steps of one take turns with all of the other.
    let few =
        if task.stream && a.count > 1 && a.source < b.source { b.count.min(FEW) } else { b.count };
    let mut first = 0;
    while first < b.count {
        for i in 0..a.count {
            for j in first..b.count.min(first + few) {
                // SAFETY: within the block.
                unsafe {
                    kernel(
                        task.from.add(i * a.source + j * b.source),
                        task.to.add(i * a.destination + j * b.destination),
                    );
                }
            }
        }
        first += few;
    }
}

/// Steps of a loop that take turns with those of another.
const FEW: usize = 4;
