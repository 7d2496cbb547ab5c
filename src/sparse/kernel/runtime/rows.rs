//! Loops in parts: the iterations of each part, and the threads that run them.

use crate::sparse::append::Joined;
use crate::sparse::kernel::KernelError;
use crate::sparse::memory::MEMORY;
use crate::sparse::storage::Rule;
use crate::sparse::{Appender, Encoding, SparseElement, SparseTensor};
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sparse_kernel::part_of_a_sum;

/// A kernel that computes any range of rows of its output.
pub trait Rows<T>: Sync {
    /// Computes the rows. `output` has only the elements of these rows.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    fn rows(&self, rows: Range<usize>, output: &mut [T]) -> Result<(), KernelError>;
}

/// A kernel that makes a part of its output from any range of iterations of its outermost loop.
pub trait Parts: Sync {
    /// Some of the entries, or a sum of some of the terms.
    type Part: Send;
    /// Makes the part of some iterations, in the memory of another part if there is one.
    ///
    /// # Errors
    /// If memory cannot be allocated, or if the output cannot store an entry.
    fn part(&self, rows: Range<usize>, old: Option<Self::Part>) -> Result<Self::Part, KernelError>;
}

/// The number of parts for each thread: more parts than threads, because some iterations take longer than others.
const PARTS: usize = 8;

/// The same for parts that each copy an operand.
const FEW_PARTS: usize = 2;

/// The number of parts for each thread that are made before they are joined: enough to keep all threads busy, and few enough that
/// the memory of these parts, which is used again for the next ones, is a small part of that of the output.
const JOINED: usize = 2;

/// The number of threads.
fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// The number of iterations that run as one part, at least 64.
fn part_for_threads(iterations: usize) -> usize {
    match threads() {
        ..=1 => iterations.max(1),
        threads => iterations.div_ceil(threads.saturating_mul(PARTS)).max(64),
    }
}

/// Calls `f` for each of the items, on the threads of rayon's current pool if the feature `parallel` is on. The results are in
/// the order of the items.
fn each<I: Send, R: Send>(
    items: Vec<I>,
    f: impl Fn(I) -> Result<R, KernelError> + Sync + Send,
) -> Result<Vec<R>, KernelError> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().map(f).collect();
    }
    items.into_iter().map(f).collect()
}

/// All ranges of `size` iterations.
fn ranges(iterations: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..iterations).step_by(size).map(move |first| first..(first + size).min(iterations))
}

/// Runs a kernel for all rows of its output, of `width` elements each, on the threads of rayon's current pool if the feature
/// `parallel` is on and there are enough rows.
///
/// # Errors
/// If memory cannot be allocated.
#[inline]
pub fn in_parts<T: Send, K: Rows<T>>(
    kernel: &K,
    rows: usize,
    width: usize,
    output: &mut [T],
) -> Result<(), KernelError> {
    in_parts_of_size(kernel, (rows, part_for_threads(rows)), width, output)
}

/// [`in_parts`] with two parts for each thread, for kernels whose parts each copy an operand.
///
/// # Errors
/// If memory cannot be allocated.
#[inline]
pub fn in_few_parts<T: Send, K: Rows<T>>(
    kernel: &K,
    rows: usize,
    width: usize,
    output: &mut [T],
) -> Result<(), KernelError> {
    let size = match threads() {
        ..=1 => rows,
        threads => rows.div_ceil(threads.saturating_mul(FEW_PARTS)),
    };
    in_parts_of_size(kernel, (rows, size.max(1)), width, output)
}

fn in_parts_of_size<T: Send, K: Rows<T>>(
    kernel: &K,
    (rows, size): (usize, usize),
    width: usize,
    output: &mut [T],
) -> Result<(), KernelError> {
    if size >= rows || width == 0 {
        return kernel.rows(0..rows, output);
    }
    let parts = ranges(rows, size).zip(output.chunks_mut(size * width)).collect();
    each(parts, |(rows, output)| kernel.rows(rows, output)).map(drop)
}

/// Runs a kernel for all values of its output, which has the positions of `tensor`: each iteration computes `height` rows.
///
/// # Errors
/// If memory cannot be allocated.
#[inline]
pub fn in_parts_of<E: Encoding, T, U: Send, K: Rows<U>>(
    kernel: &K,
    tensor: &SparseTensor<E, T>,
    iterations: usize,
    height: usize,
    mut output: &mut [U],
) -> Result<(), KernelError> {
    let mut parts = Vec::new();
    let mut first = 0;
    for rows in ranges(iterations, part_for_threads(iterations)) {
        let end = first_value(tensor, rows.end * height);
        let (part, rest) = output.split_at_mut(end - first);
        parts.push((rows, part));
        (output, first) = (rest, end);
    }
    each(parts, |(rows, output)| kernel.rows(rows, output)).map(drop)
}

/// The position of the first value of a row, which is a coordinate of the dense first level. For a row past the last one, the
/// number of all values.
pub fn first_value<E: Encoding, T>(tensor: &SparseTensor<E, T>, row: usize) -> usize {
    let storage = &tensor.storage;
    let mut at = row.min(storage.extents[0].size);
    for (level, parts) in storage.parts.levels.iter().enumerate().skip(1) {
        let rule = Rule::of(const { &E::SPEC }, level);
        let segments = storage.counts[level - 1];
        at = match at < segments {
            true => rule.below(&parts.positions, storage.extents[level].size, at).start,
            false => storage.counts[level],
        };
    }
    at
}

/// The parts of a kernel, in order. They are made on the threads of rayon's current pool if the feature `parallel` is on and
/// there are enough iterations.
///
/// # Errors
/// The first error of a part.
#[inline]
pub fn parts<K: Parts>(kernel: &K, iterations: usize) -> Result<Vec<K::Part>, KernelError> {
    let size = part_for_threads(iterations);
    if size >= iterations {
        return Ok(alloc::vec![kernel.part(0..iterations, None)?]);
    }
    each(ranges(iterations, size).collect(), |rows| kernel.part(rows, None))
}

/// The tensor of the entries of all parts of a kernel, which are made as by [`parts`].
///
/// # Errors
/// The first error of a part, or if the parts cannot be joined.
#[inline]
pub fn joined<E: Encoding, T: SparseElement, const N: usize, K>(
    shape: E::Index,
    kernel: &K,
    iterations: usize,
) -> Result<SparseTensor<E, T>, KernelError>
where
    K: Parts<Part = Appender<E, T, N>>,
{
    let size = part_for_threads(iterations);
    if size >= iterations {
        return Ok(Appender::join(shape, alloc::vec![kernel.part(0..iterations, None)?])?);
    }
    let (mut whole, mut old) = (Joined::new(shape)?, Vec::new());
    let group = size.saturating_mul(threads().saturating_mul(JOINED));
    for rows in ranges(iterations, group) {
        let parts = ranges(rows.len(), size).map(|part| {
            let rows = rows.start + part.start..rows.start + part.end;
            (rows, old.pop())
        });
        let mut made = each(parts.collect(), |(rows, old)| kernel.part(rows, old))?;
        whole.append(&mut made, (rows.end, iterations))?;
        old = made;
    }
    Ok(whole.finish()?)
}

/// The sum of the parts of a kernel, added up in order; `None` if there are no iterations. The number of iterations of each
/// part does not depend on the threads, so the sum is always the same.
///
/// # Errors
/// The first error of a part.
#[inline]
pub fn sum_of_parts<K: Parts>(
    kernel: &K,
    iterations: usize,
    reduce: impl Fn(K::Part, K::Part) -> K::Part,
) -> Result<Option<K::Part>, KernelError> {
    let size = part_of_a_sum(iterations);
    if size >= iterations {
        return kernel.part(0..iterations, None).map(Some);
    }
    let parts = each(ranges(iterations, size).collect(), |rows| kernel.part(rows, None))?;
    Ok(parts.into_iter().reduce(reduce))
}

/// The entries of all parts.
///
/// # Errors
/// If memory for them cannot be allocated.
pub fn listed<T>(mut parts: Vec<Vec<T>>) -> Result<Vec<T>, KernelError> {
    if parts.len() == 1 {
        return Ok(parts.pop().unwrap_or_default());
    }
    let values = parts.iter().map(Vec::len).sum();
    let mut all = Vec::new();
    MEMORY.reserve_exact(&mut all, values).map_err(|_| KernelError::OutOfMemory { values })?;
    parts.into_iter().for_each(|part| all.extend(part));
    Ok(all)
}

/// The number of entries to expect in a part of all iterations.
#[inline]
pub fn share(entries: usize, part: usize, iterations: usize) -> usize {
    let share = entries as u128 * part as u128 / iterations.max(1) as u128;
    share as usize
}
