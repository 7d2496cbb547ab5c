//! Runs steps, each with its kernel.

use super::copy::{self, Mode};
use super::gather::gather;
use super::interleave::{RowGroup, deinterleave, deinterleave_short, interleave, interleave_short};
use super::stage;
use super::transpose::{TransposeBuffers, transpose};
use crate::cpu::{Cpu, Instructions, LINE, Stores, Streaming, for_cpu};
use crate::movement::compact::CompactStep;
#[cfg(feature = "parallel")]
use crate::movement::parallel;
#[cfg(feature = "parallel")]
use crate::movement::step::STEPS;
use crate::movement::step::{Constant, Pattern, Step};
use core::marker::PhantomData;

/// Moves elements of whole bytes that have the same width in both arrays.
pub(crate) struct WholeBytes<'a> {
    source: *const u8,
    destination: *mut u8,
    len: [usize; 2],
    cpu: Cpu,
    #[cfg(feature = "parallel")]
    stores: Stores,
    streaming: Streaming,
    borrow: PhantomData<(&'a [u8], &'a mut [u8])>,
}

impl<'a> WholeBytes<'a> {
    /// Moves elements from one array to the other; neither needs to be aligned.
    #[inline]
    pub(crate) fn new(source: &'a [u8], destination: &'a mut [u8], cpu: Cpu) -> Self {
        let stores = Stores::of(source.len(), destination.len());
        Self {
            source: source.as_ptr(),
            len: [source.len(), destination.len()],
            #[cfg(feature = "parallel")]
            stores,
            streaming: stores.begin(),
            destination: destination.as_mut_ptr(),
            cpu,
            borrow: PhantomData,
        }
    }

    /// Runs steps, shifted by `from` bytes in the source and `to` bytes in the destination.
    ///
    /// # Panics
    /// If a step reaches out of either array.
    #[inline]
    pub(crate) fn run(&mut self, steps: &[Step], [from, to]: [usize; 2]) {
        for step in steps {
            assert!(
                from + step.reach[0] <= self.len[0] && to + step.reach[1] <= self.len[1],
                "a step reaches outside of its arrays"
            );
        }
        let pointers = Pointers {
            source: self.source.wrapping_add(from),
            destination: self.destination.wrapping_add(to),
            cpu: self.cpu,
        };
        #[cfg(feature = "parallel")]
        if parallel::pays_off(self.len[0] + self.len[1]) {
            use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
            let stores = self.stores;
            for parts in parallel::batches(steps) {
                // SAFETY: as below. No two parts of a batch write the same element, or zeros where another part writes an
                // element.
                parts.par_iter().for_each(|part| unsafe { pointers.run(part, &stores.begin()) });
            }
            return;
        }
        for step in steps {
            // SAFETY: the step is within the arrays, which do not overlap because one of them is borrowed mutably; the zeros
            // for missing rows go to padding between rows that exist.
            unsafe { pointers.run(step, &self.streaming) };
        }
    }
}

impl WholeBytes<'_> {
    /// Runs steps in compact form.
    ///
    /// # Panics
    /// If a step reaches out of either array.
    pub(crate) fn run_compact<const O: usize, const I: usize>(
        &mut self,
        steps: &[CompactStep<O, I>],
    ) {
        #[cfg(feature = "parallel")]
        if parallel::pays_off(self.len[0] + self.len[1]) {
            let mut all = [Step::NONE; STEPS];
            all.iter_mut().zip(steps).for_each(|(step, compact)| *step = compact.step());
            return self.run(&all[..steps.len()], [0, 0]);
        }
        for step in steps {
            self.run(core::slice::from_ref(&step.step()), [0, 0]);
        }
    }
}

/// Pointers to the two arrays, as they are passed to the kernels.
#[derive(Clone, Copy)]
struct Pointers {
    source: *const u8,
    destination: *mut u8,
    cpu: Cpu,
}

#[cfg(feature = "parallel")]
// SAFETY: threads use the pointers to write disjoint elements while `WholeBytes` borrows both arrays.
unsafe impl Sync for Pointers {}

impl Pointers {
    /// # Safety
    /// The step must be within the arrays, which must not overlap.
    unsafe fn run(&self, step: &Step, streaming: &Streaming) {
        let from = self.source.wrapping_add(step.from);
        let to = self.destination.wrapping_add(step.to);
        let stream = match step.pattern {
            Pattern::Transpose => streaming.apart(),
            _ => streaming.in_order(),
        };
        let StepKernel(kernel) = step.kernel;
        // SAFETY: the kernel is the kernel of this step, and the caller promises that the step is within the arrays.
        unsafe { kernel(self.cpu, step, from, to, stream) }
    }
}

/// Moves a small array with a kernel that is compiled only for its layout.
///
/// # Panics
/// If the step reaches out of either array.
#[inline]
pub(crate) fn constant<S: Constant>(source: &[u8], destination: &mut [u8], cpu: Cpu) {
    let reach = const { S::STEP.reach };
    assert!(
        reach[0] <= source.len() && reach[1] <= destination.len(),
        "a step reaches outside of its arrays"
    );
    let from = source.as_ptr().wrapping_add(S::STEP.from);
    let to = destination.as_mut_ptr().wrapping_add(S::STEP.to);
    // SAFETY: the step is within the arrays, which do not overlap because one of them is borrowed mutably.
    unsafe { for_cpu!(cpu, unsafe of_constant<S: Constant>(from: *const u8, to: *mut u8)) }
}

/// # Safety
/// As for [`StepFn`].
#[inline(always)]
unsafe fn of_constant<I: Instructions, S: Constant>(simd: I, from: *const u8, to: *mut u8) {
    let step = const { &S::STEP };
    macro_rules! grouped {
        ($kernel:ident, $rows:expr) => {
            match const { (S::STEP.width, $rows) } {
                (1, 2) => $kernel::<I, 1, 2, false>(simd, step, from, to),
                (1, 4) => $kernel::<I, 1, 4, false>(simd, step, from, to),
                (1, _) => $kernel::<I, 1, 8, false>(simd, step, from, to),
                (2, 2) => $kernel::<I, 2, 2, false>(simd, step, from, to),
                (2, 4) => $kernel::<I, 2, 4, false>(simd, step, from, to),
                (2, _) => $kernel::<I, 2, 8, false>(simd, step, from, to),
                (4, 2) => $kernel::<I, 4, 2, false>(simd, step, from, to),
                (4, _) => $kernel::<I, 4, 4, false>(simd, step, from, to),
                _ => $kernel::<I, 8, 2, false>(simd, step, from, to),
            }
        };
    }
    // SAFETY: the caller promises the same.
    unsafe {
        match const { S::STEP.pattern } {
            Pattern::Interleave => grouped!(interleaved, S::STEP.inner[3].size),
            Pattern::Deinterleave => grouped!(deinterleaved, S::STEP.inner[2].size),
            _ => runs::<I, false>(simd, step, from, to),
        }
    }
}

/// Runs a step of one pattern and width with the instructions of the CPU. If the last argument is true, stores bypass the caches if
/// the destination is aligned.
///
/// # Safety
/// The step must be of that pattern and width, and within two arrays that do not overlap.
type StepFn = unsafe fn(Cpu, &Step, *const u8, *mut u8, bool);

/// The kernel of a step as a value, so that a program contains only the kernels of its layouts. It is a constant, as the step
/// of a type is. One pointer serves for both kinds of stores, because a program stores it for each step of each layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepKernel(StepFn);

macro_rules! kernels {
    ($($name:ident $kernel:ident [$($CONST:ident)*];)*) => { $(
        /// # Safety
        /// As for [`StepFn`].
        unsafe fn $name<$(const $CONST: usize,)*>(
            cpu: Cpu,
            step: &Step,
            from: *const u8,
            to: *mut u8,
            stream: bool,
        ) {
            // SAFETY: the caller promises the same.
            unsafe {
                if stream {
                    for_cpu!(
                        cpu,
                        unsafe $kernel[$($CONST: usize = $CONST,)* STREAM: bool = true](
                            step: &Step, from: *const u8, to: *mut u8
                        )
                    )
                } else {
                    for_cpu!(
                        cpu,
                        unsafe $kernel[$($CONST: usize = $CONST,)* STREAM: bool = false](
                            step: &Step, from: *const u8, to: *mut u8
                        )
                    )
                }
            }
        }
    )* };
}

kernels! {
    run_copy runs [];
    run_interleave interleaved [N P];
    run_deinterleave deinterleaved [N P];
    run_transpose transposed [N P];
    run_gather gathered [N];
}

impl StepKernel {
    /// The kernel that copies.
    pub(crate) const COPY: Self = Self(run_copy);

    /// The kernel for the pattern and the width of a step.
    pub(crate) const fn of(step: &Step) -> Self {
        macro_rules! kernel {
            ($kernel:ident $($constant:literal)*) => {
                Self($kernel::<$($constant,)*>)
            };
        }
        macro_rules! grouped {
            ($kernel:ident, $rows:expr) => {
                match (step.width, $rows) {
                    (1, 2) => kernel!($kernel 1 2),
                    (1, 4) => kernel!($kernel 1 4),
                    (1, _) => kernel!($kernel 1 8),
                    (2, 2) => kernel!($kernel 2 2),
                    (2, 4) => kernel!($kernel 2 4),
                    (2, _) => kernel!($kernel 2 8),
                    (4, 2) => kernel!($kernel 4 2),
                    (4, _) => kernel!($kernel 4 4),
                    _ => kernel!($kernel 8 2),
                }
            };
        }
        macro_rules! sized {
            ($kernel:ident $($constant:literal)*) => {
                match step.width {
                    1 => kernel!($kernel 1 $($constant)*),
                    2 => kernel!($kernel 2 $($constant)*),
                    4 => kernel!($kernel 4 $($constant)*),
                    8 => kernel!($kernel 8 $($constant)*),
                    _ => kernel!($kernel 16 $($constant)*),
                }
            };
        }
        match step.pattern {
            Pattern::Copy => Self::COPY,
            Pattern::Interleave => grouped!(run_interleave, step.inner[3].size),
            Pattern::Deinterleave => grouped!(run_deinterleave, step.inner[2].size),
            Pattern::Transpose => match (step.width, step.side) {
                (4, 2) => kernel!(run_transpose 4 2),
                (8, 2) => kernel!(run_transpose 8 2),
                (16, 4) => kernel!(run_transpose 16 4),
                _ => sized!(run_transpose 1),
            },
            Pattern::Gather => sized!(run_gather),
        }
    }
}

/// Runs a kernel for each combination of values of the axes around it. It is not a function that takes a closure, because a
/// closure that is not inlined would not be compiled for the instruction set.
macro_rules! each {
    ($step:expr, |$from:ident, $to:ident| $kernel:expr) => {{
        let [a, b, across, along] = $step.outer;
        for i in 0..a.count {
            for j in 0..b.count {
                let from_j = i * a.source + j * b.source;
                let to_j = i * a.destination + j * b.destination;
                let mut first = 0;
                while first < along.count {
                    let count = $step.batch.min(along.count - first);
                    for k in 0..across.count {
                        let from_k = from_j + k * across.source + first * along.source;
                        let to_k = to_j + k * across.destination + first * along.destination;
                        let ($from, $to) = ($from.add(from_k), $to.add(to_k));
                        for l in 0..count {
                            let $from = $from.add(l * along.source);
                            let $to = $to.add(l * along.destination);
                            $kernel;
                        }
                    }
                    first += count;
                }
            }
        }
    }};
}

/// # Safety
/// As for [`StepFn`], and for the kernels that follow.
#[inline(always)]
unsafe fn runs<I: Instructions, const STREAM: bool>(
    simd: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
) {
    let len = step.inner[3].count * step.width;
    let mode = Mode::<STREAM>::of(step);
    // SAFETY: the caller promises the same.
    unsafe { each!(step, |from, to| copy::run::<I, STREAM, _>(simd, from, to, len, mode)) }
}

/// # Safety
/// As for [`StepFn`], for a step whose pattern is [`Pattern::Interleave`].
#[inline(always)]
unsafe fn interleaved<I: Instructions, const N: usize, const P: usize, const STREAM: bool>(
    simd: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
) {
    let [.., columns, rows] = step.inner;
    let group = RowGroup { rows: rows.count, row_stride: rows.source, count: columns.count };
    let mode = Mode::<STREAM>::of(step);
    // SAFETY: the caller promises the same.
    unsafe {
        match group.fill(P, const { LINE / N }) {
            true => each!(step, |from, to| interleave::<I, N, P, STREAM, _>(
                simd, from, to, group, mode
            )),
            false => each!(step, |from, to| interleave_short::<I, N, P>(simd, from, to, group)),
        }
    }
}

/// # Safety
/// As for [`StepFn`], for a step whose pattern is [`Pattern::Deinterleave`].
#[inline(always)]
unsafe fn deinterleaved<I: Instructions, const N: usize, const P: usize, const STREAM: bool>(
    simd: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
) {
    let [.., rows, columns] = step.inner;
    let group = RowGroup { rows: rows.count, row_stride: rows.destination, count: columns.count };
    // SAFETY: the caller promises the same.
    unsafe {
        if STREAM && stage::fits_stage(step, columns.count * N) {
            return stage::deinterleaved::<I, N, P>(simd, step, from, to, group);
        }
        if !group.fill(P, const { LINE / N }) {
            return each!(step, |from, to| deinterleave_short::<I, N, P>(simd, from, to, group));
        }
        let mode = Mode::<STREAM>::of(step);
        each!(step, |from, to| deinterleave::<I, N, P, STREAM, _>(simd, from, to, group, mode));
    }
}

/// # Safety
/// As for [`StepFn`], for a step whose pattern is [`Pattern::Transpose`].
#[inline(always)]
unsafe fn transposed<I: Instructions, const N: usize, const P: usize, const STREAM: bool>(
    simd: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
) {
    let [rows, more_rows, columns, more_columns] = step.inner;
    let sides = ([rows, more_rows], [columns, more_columns]);
    let mut buffers = TransposeBuffers::NEW;
    let [.., across, along] = step.outer;
    let then = if step.batch == 1 && across.count > 1 { across.source } else { along.source };
    // SAFETY: the caller promises the same.
    unsafe {
        each!(step, |from, to| transpose::<I, N, P, STREAM>(
            simd,
            from,
            to,
            sides,
            &mut buffers,
            then
        ))
    }
}

/// # Safety
/// As for [`StepFn`], for a step whose pattern is [`Pattern::Gather`].
#[inline(always)]
unsafe fn gathered<I: Instructions, const N: usize, const STREAM: bool>(
    _: I,
    step: &Step,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the caller promises the same.
    unsafe { each!(step, |from, to| gather::<N>(from, to, step.inner)) }
}

/// The distance in bytes from the data that is read to the data that is prefetched at the same time.
pub(super) const AHEAD: usize = 8192;

impl<const STREAM: bool> Mode<STREAM> {
    /// Prefetches data that is read some steps later or, if there is only one step, later in the same step.
    #[inline(always)]
    fn of(step: &Step) -> Self {
        let [.., across, along] = step.outer;
        let [a, b, c, d] = step.inner.map(|axis| axis.count);
        let steps = AHEAD / (a * b * c * d * step.width * across.count).max(1);
        Self { ahead: if along.count > 1 { steps.max(2) * along.source } else { 1024 } }
    }
}
