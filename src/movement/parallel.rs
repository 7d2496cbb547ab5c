//! Divides the steps of large arrays among threads, by whole rows of tiles if there are any.

use super::step::{INNER, OUTER, Pattern, Step};
use alloc::vec::Vec;

/// The number of bytes, of source and destination together, from which threads pay off.
const FROM: usize = if cfg!(test) { 1 } else { 1 << 20 };

/// The number of columns of each part of a transpose is a multiple of this.
const LINE_ELEMENTS: usize = 64;

/// Whether arrays of this many bytes are moved faster by several threads.
pub(crate) fn pays_off(bytes: usize) -> bool {
    rayon::current_num_threads() > 1 && bytes >= FROM
}

/// The steps in batches, each divided into parts that threads may run in any order. A batch must end before the next begins: a step
/// that writes zeros for missing rows is the last of its batch, because later steps can write elements over these zeros.
pub(crate) fn batches(steps: &[Step]) -> impl Iterator<Item = Vec<Step>> {
    let parts = 4 * rayon::current_num_threads();
    steps
        .split_inclusive(|step| step.writes_missing_rows())
        .map(move |batch| batch.iter().flat_map(|step| step.divide(parts)).collect())
}

impl Step {
    /// Divides the step into at most `parts` steps on disjoint elements. With 32 parts, 125 rows of tiles become 31 steps of 4 rows
    /// of tiles and one step of 1.
    fn divide(&self, parts: usize) -> impl Iterator<Item = Self> + '_ {
        let outer = (0..OUTER).find(|&axis| self.outer[axis].count > 1);
        // The columns of a transpose are divided so that each part writes whole cache lines.
        let columns = [INNER - 2, INNER - 1].into_iter().find(|&axis| self.inner[axis].count > 1);
        let transposed = columns.filter(|_| self.pattern == Pattern::Transpose);
        let (count, unit) = match (outer, transposed) {
            (Some(axis), _) => (self.outer[axis].count, 1),
            (None, Some(axis)) if axis == INNER - 1 => (self.inner[axis].count, LINE_ELEMENTS),
            (None, Some(axis)) => (self.inner[axis].count, 1),
            (None, None) => (1, 1),
        };
        let size = count.div_ceil(parts).next_multiple_of(unit);
        (0..count).step_by(size).map(move |first| {
            let mut part = *self;
            let axis = match (outer, transposed) {
                (Some(axis), _) => &mut part.outer[axis],
                (None, Some(axis)) => &mut part.inner[axis],
                (None, None) => return part,
            };
            let [source, destination] = [first * axis.source, first * axis.destination];
            axis.count = size.min(count - first);
            part.batch = part.batch.min(part.outer[OUTER - 1].count);
            part.from += source;
            part.to += destination;
            part
        })
    }
}
