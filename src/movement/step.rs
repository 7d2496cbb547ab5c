//! Chooses the kernel that moves a region, and the order of its loops, before the first byte moves; for layout types, at compile
//! time.
//!
//! To pack `bf16[20,300]{1,0:T(8,128)(2,1)}`, the first region is 2 x 2 tiles of 4 pairs of rows of 128 columns. In
//! bytes, its axes are:
//!
//! | axis | count | source | destination |
//! |---|---|---|---|
//! | tiles down | 2 | 4800 | 6144 |
//! | tiles across | 2 | 256 | 2048 |
//! | pairs of rows | 4 | 1200 | 512 |
//! | columns | 128 | 2 | 4 |
//! | rows of a pair | 2 | 600 | 2 |
//!
//! Columns are contiguous in the source (2 bytes apart), and the rows of a pair in the destination. A column of a pair has 2 x 2
//! bytes there, which is exactly the distance from one column to the next: the kernel is [`Pattern::Interleave`] of 2 rows of 128
//! columns, and the three other axes are loops around it. One run of the kernel writes 512 bytes, so 4096 / 512 = 8 of them could
//! follow each other in the destination before the source moves on; a tile has 4 pairs, so `batch` is 4.

use super::inner::{PIECE, StepKernel};
use super::plan::Nest;
use super::regions::{Axes, Axis, Region};
use core::fmt;

/// How the innermost elements move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// Bytes that are contiguous in both arrays; the last axis is the run.
    Copy,
    /// Rows of the source whose elements are interleaved in the destination. The last axis is across the rows, and the one
    /// before it along them.
    Interleave,
    /// The reverse: the last axis is along the rows, and the one before it across them.
    Deinterleave,
    /// Rows of the source become columns of the destination. The first two axes are contiguous in the destination, the last two
    /// in the source.
    Transpose,
    /// Elements are moved one by one.
    Gather,
}

/// The number of axes of a kernel.
pub(crate) const INNER: usize = 4;
/// The number of axes around a kernel.
pub(crate) const OUTER: usize = 4;

/// The work on one region, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The bytes of an element, or of several elements that stay together: 1, 2, 4, 8 or 16.
    pub(crate) width: usize,
    /// The number of rows, and of columns, of the elements that make up one unit of `width` bytes. One array stores them row by
    /// row, the other column by column.
    pub(crate) side: usize,
    pub(crate) pattern: Pattern,
    /// The kernel of the pattern and the width.
    pub(crate) kernel: StepKernel,
    /// The loops around the kernel, outermost first. The last one runs in batches of `batch` values: for each batch, the loop
    /// before it runs completely.
    pub(crate) outer: [Axis; OUTER],
    pub(crate) batch: usize,
    pub(crate) inner: [Axis; INNER],
    /// The bytes of the source and of the destination that the step needs, with the rows that are missing in a group.
    pub(crate) reach: [usize; 2],
}

/// Facts about the arrays on which the kernels may rely.
#[derive(Clone, Copy)]
pub(crate) struct ArrayFacts {
    /// The bytes of an element.
    pub(crate) width: usize,
    /// The bytes of the source and of the destination.
    pub(crate) len: [usize; 2],
    /// Whether padding next to elements of the destination is zero, so that zeros may be written there together with elements.
    pub(crate) zero_padding: bool,
}

/// The bytes of the destination that are written before the source moves on, if the orders of the two differ: streamed stores
/// are fastest in consecutive lines.
const CHUNK: usize = 4096;

/// The largest number of rows that are read alternately: rows that are a power of two apart share the sets of the L1 cache.
const ROWS: usize = 16;

/// The bytes of a run that takes less time to copy than the loops around it to set up.
const SHORT: usize = 16;

/// The smallest number of short runs that are copied one after the other.
const MANY: usize = 16;

/// The largest number of steps of a program: tiles within tiles, ragged in both dimensions.
pub(crate) const STEPS: usize = 6;

/// The steps of a whole loop nest, if there are few.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    steps: [Step; STEPS],
    len: usize,
}

impl Program {
    /// The steps of a loop nest; `None` if there are more than [`STEPS`].
    pub(crate) const fn of(nest: &Nest, arrays: ArrayFacts) -> Option<Self> {
        let mut program = Self { steps: [Step::NONE; STEPS], len: nest.regions() };
        if nest.walked != 0 || program.len > STEPS {
            return None;
        }
        let mut i = 0;
        while i < program.len {
            let (step, around) = Step::of(&nest.region(i), arrays);
            if !around.as_slice().is_empty() {
                return None;
            }
            program.steps[i] = step;
            i += 1;
        }
        Some(program)
    }

    #[inline]
    pub(crate) const fn steps(&self) -> &[Step] {
        self.steps.split_at(self.len).0
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The step, if there is only one and it moves rows, so that a kernel can be compiled for it alone.
    pub(crate) const fn only(&self) -> Option<Step> {
        let step = self.steps[0];
        let rows =
            matches!(step.pattern, Pattern::Copy | Pattern::Interleave | Pattern::Deinterleave);
        if self.len == 1 && rows { Some(step) } else { None }
    }
}

/// A step that is compiled into the kernel that runs it.
pub(crate) trait Constant {
    const STEP: Step;
}

impl Step {
    pub(crate) const NONE: Self = Self {
        from: 0,
        to: 0,
        width: 1,
        side: 1,
        pattern: Pattern::Copy,
        kernel: StepKernel::COPY,
        outer: [Axis::UNIT; OUTER],
        batch: 1,
        inner: [Axis::UNIT; INNER],
        reach: [0; 2],
    };

    /// The step for a region, and the axes around it that do not fit in the step.
    pub(crate) const fn of(cut: &Region, arrays: ArrayFacts) -> (Self, Axes) {
        let mut width = arrays.width;
        let mut step = Self { from: cut.from * width, to: cut.to * width, ..Self::NONE };
        step.reach = [step.from + width, step.to + width];
        let mut axes = Axes::NONE;
        let elements = cut.axes.as_slice();
        let mut i = 0;
        while i < elements.len() {
            let Axis { count, size, source, destination } = elements[i];
            let axis =
                Axis { count, size, source: source * width, destination: destination * width };
            let [source, destination] = axis.reach();
            step.reach = [step.reach[0] + source, step.reach[1] + destination];
            axes.push(axis);
            i += 1;
        }
        widen(&mut axes, &mut width);
        if !step.choose_units(&mut axes, width, arrays) {
            step.width = width;
            step.choose(&mut axes, arrays);
        }
        step.kernel = StepKernel::of(&step);
        step.order(&mut axes);
        let around = axes.as_slice();
        let mut i = 0;
        while i < around.len() {
            let [source, destination] = around[i].reach();
            step.reach = [step.reach[0] - source, step.reach[1] - destination];
            i += 1;
        }
        (step, axes)
    }

    /// Whether the step writes zeros for missing rows of a group of interleaved rows.
    #[cfg(feature = "parallel")]
    pub(crate) fn writes_missing_rows(&self) -> bool {
        let [.., rows] = self.inner;
        self.pattern == Pattern::Interleave && rows.count < rows.size
    }

    /// If they are to be transposed, treats small squares of elements, stored row by row in one array and column by column in
    /// the other, as wider elements: 2 x 2 elements of 2 bytes become one of 8.
    const fn choose_units(&mut self, axes: &mut Axes, width: usize, arrays: ArrayFacts) -> bool {
        let (Some(column), Some(row)) = (find(axes, width, true), find(axes, width, false)) else {
            return false;
        };
        let (c, r) = (axes.as_slice()[column], axes.as_slice()[row]);
        let side = c.count;
        let square = column != row
            && matches!((width, side), (1, 2 | 4) | (2, 2))
            && c.size == side
            && r.count == side
            && r.size == side
            && c.destination == side * width
            && r.source == side * width;
        if !square {
            return false;
        }
        let (mut wider, mut step) = (*axes, *self);
        remove(&mut wider, column, row);
        (step.width, step.side) = (width * side * side, side);
        step.choose(&mut wider, arrays);
        let transposes = matches!(step.pattern, Pattern::Transpose);
        if transposes {
            (*axes, *self) = (wider, step);
        }
        transposes
    }

    /// Chooses the kernel and moves its axes from `axes` to the step.
    const fn choose(&mut self, axes: &mut Axes, arrays: ArrayFacts) {
        let width = self.width;
        let (column, row) = (find(axes, width, true), find(axes, width, false));
        if let (Some(column), Some(row)) = (column, row) {
            if column == row {
                self.pattern = Pattern::Copy;
                self.inner[3] = axes.remove(row);
                return;
            }
            let (c, r) = (axes.as_slice()[column], axes.as_slice()[row]);
            // Groups of rows are read and written whole, with the rows that are missing.
            let read = self.reach[0] + (c.size - c.count) * c.source;
            let written = self.reach[1] + (r.size - r.count) * r.destination;
            let has_zeros = arrays.zero_padding && written <= arrays.len[1];
            if interleaves(&r, width, c.destination, has_zeros) {
                self.pattern = Pattern::Interleave;
                self.reach[1] = written;
                [self.inner[2], self.inner[3]] = [c, r];
                return remove(axes, column, row);
            }
            if interleaves(&c, width, r.source, read <= arrays.len[0]) {
                self.pattern = Pattern::Deinterleave;
                self.reach[0] = read;
                [self.inner[2], self.inner[3]] = [c, r];
                return remove(axes, column, row);
            }
            remove(axes, column, row);
            let (mut rows, mut columns) = ([Axis::UNIT, r], [Axis::UNIT, c]);
            if let Some(next) = find(axes, r.count * width, false) {
                rows[0] = axes.remove(next);
            }
            if let Some(next) = find(axes, c.count * width, true) {
                columns[0] = axes.remove(next);
            }
            (self.pattern, self.inner) = match is_wide(&rows, width) && is_wide(&columns, width) {
                true => (Pattern::Transpose, [rows[0], rows[1], columns[0], columns[1]]),
                // The longer side is the inner loop.
                false if r.count > c.count => (Pattern::Gather, [columns[0], rows[0], c, r]),
                false => (Pattern::Gather, [rows[0], rows[1], columns[0], columns[1]]),
            };
            return;
        }
        self.pattern = Pattern::Gather;
        let mut i = INNER;
        while i > 0 && !axes.as_slice().is_empty() {
            i -= 1;
            self.inner[i] = axes.remove(axes.as_slice().len() - 1);
        }
    }

    /// The axis along which short runs of the source follow each other, if the step copies short runs: copying many at a time
    /// is worth more than the order of the destination.
    const fn short_run_axis(&self, axes: &Axes) -> Option<usize> {
        let run = self.inner[3].count * self.width;
        if !matches!(self.pattern, Pattern::Copy) || run >= SHORT {
            return None;
        }
        shortest(axes, MANY)
    }

    /// Chooses the axes around the kernel. The innermost is the axis with the shortest stride in the destination, or the axis along
    /// which short runs follow each other; the next is the axis with the shortest stride in the source.
    const fn order(&mut self, axes: &mut Axes) {
        let short_run = self.short_run_axis(axes);
        if let Some(next) = short_run {
            let next = axes.remove(next);
            axes.push(next);
        }
        let mut at = OUTER;
        while at > 0 && !axes.as_slice().is_empty() {
            at -= 1;
            let len = axes.as_slice().len();
            self.outer[at] = axes.remove(match shortest(axes, 1) {
                Some(shortest) if at == OUTER - 2 => shortest,
                _ => len - 1,
            });
        }
        let [.., across, along] = self.outer;
        if short_run.is_some() {
            let batch = if along.destination < CHUNK { CHUNK / along.destination } else { 1 };
            self.batch = if batch > MANY { batch } else { MANY };
            self.batch = if self.batch < along.count { self.batch } else { along.count };
            return;
        }
        let mut run = self.width;
        let mut i = INNER;
        while i > 0 {
            i -= 1;
            if self.inner[i].destination == run {
                run *= self.inner[i].count;
            }
        }
        let chunk = match self.pattern {
            Pattern::Deinterleave => PIECE,
            Pattern::Copy if along.count * run > CHUNK => PIECE,
            _ => CHUNK,
        };
        let alternates = matches!(self.pattern, Pattern::Deinterleave)
            || (across.count > 1 && across.source < along.source);
        let mut batch = if chunk > run { chunk / run } else { 1 };
        if let Pattern::Interleave = self.pattern
            && batch * self.inner[3].count > ROWS
        {
            batch = if self.inner[3].count < ROWS { ROWS / self.inner[3].count } else { 1 };
        }
        self.batch = if alternates && batch < along.count { batch } else { along.count };
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, [a, b, outer, inner]) = (self.width, self.inner);
        match self.pattern {
            Pattern::Copy => write!(f, "copy {} bytes", inner.count * width),
            Pattern::Interleave => {
                let (rows, columns) = (inner.size, outer.count);
                write!(f, "interleave {rows} rows of {columns} elements of {width} bytes")
            }
            Pattern::Deinterleave => {
                let (rows, columns) = (outer.size, inner.count);
                write!(f, "deinterleave {rows} rows of {columns} elements of {width} bytes")
            }
            Pattern::Transpose => {
                let (rows, columns) = (a.count * b.count, outer.count * inner.count);
                write!(f, "transpose {rows} rows of {columns} elements of {width} bytes")?;
                match self.side {
                    1 => Ok(()),
                    side => write!(f, ", each of {side} rows of {side}"),
                }
            }
            Pattern::Gather => write!(f, "move one element of {width} bytes"),
        }
    }
}

/// Treats a short run of elements that are contiguous in both arrays as one wider element.
const fn widen(axes: &mut Axes, width: &mut usize) {
    if let (Some(at), Some(row)) = (find(axes, *width, true), find(axes, *width, false))
        && at == row
        && matches!(axes.as_slice()[at].count * *width, 2 | 4 | 8 | 16)
    {
        *width *= axes.remove(at).count;
    }
}

/// The axis whose stride in the source, or in the destination, is `stride`.
const fn find(axes: &Axes, stride: usize, source: bool) -> Option<usize> {
    let axes = axes.as_slice();
    let mut i = 0;
    while i < axes.len() {
        if stride == (if source { axes[i].source } else { axes[i].destination }) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// The axis with the shortest stride in the source among those with at least `steps` values.
const fn shortest(axes: &Axes, steps: usize) -> Option<usize> {
    let axes = axes.as_slice();
    let (mut shortest, mut i): (Option<usize>, _) = (None, 0);
    while i < axes.len() {
        let shorter = match shortest {
            Some(other) => axes[i].source < axes[other].source,
            None => true,
        };
        if shorter && axes[i].count >= steps {
            shortest = Some(i);
        }
        i += 1;
    }
    shortest
}

/// Removes two axes.
const fn remove(axes: &mut Axes, a: usize, b: usize) {
    axes.remove(if a > b { a } else { b });
    axes.remove(if a > b { b } else { a });
}

/// Whether elements are interleaved along `axis` in groups of `group` bytes: 2, 4 or 8 rows; some of the rows may be missing
/// only if `missing` is true.
const fn interleaves(axis: &Axis, width: usize, group: usize, missing: bool) -> bool {
    matches!(axis.size, 2 | 4 | 8)
        && axis.size * width <= 16
        && group == axis.size * width
        && (axis.count == axis.size || missing)
}

/// Whether one side of a transpose fills a register.
const fn is_wide(side: &[Axis; 2], width: usize) -> bool {
    side[0].count * side[1].count * width >= 16
}
