//! Parallel loops: finds loops that can run in parts, each of which writes its own rows, entries or sum.

use super::super::ir::*;
use super::encoding;
use crate::sparse::LevelFormat;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The number of rows of the output that each iteration of the outermost loop writes, if that loop should run in parallel and its
/// parts do not write to the same elements. Rows are coordinates of the first level; a number, and entries that are sorted at the
/// end, count as one row for each iteration.
///
/// `for i1 in 0..(size(i) + 1) / 2` whose stores are all at `(i1 * 2 + i2) * n + k` writes 2 rows in each iteration.
pub(in super::super) fn rows_of_a_part(kernel: &Kernel) -> Option<i64> {
    let (var, to, body) = parallel_loop(kernel)?;
    rows_of_an_iteration(kernel, var, to, body)
}

/// The number of rows of the output that each iteration of a loop writes, if no two iterations write to the same row.
pub(super) fn rows_of_an_iteration(
    kernel: &Kernel,
    var: Var,
    to: &Int,
    body: &Body,
) -> Option<i64> {
    let mut written = Written::default();
    written.collect(body, &mut BTreeMap::new());
    let heights = match to {
        Int::Div(_, height) => [1, *height],
        _ => [1, 1],
    };
    let output = &kernel.operands[kernel.output];
    match (&output.storage, kernel.result) {
        (Storage::Scalar, _) | (_, OutputMode::Collect { .. }) => Some(1),
        (Storage::Dense { rank }, _) => heights.into_iter().find(|height| {
            let groups = kernel.output_shape.first().map(|size| size.clone().blocks(*height));
            let own = |at: &Int| {
                row(at, *rank, kernel.output).is_some_and(|row| is_own(row, var, *height))
            };
            groups.as_ref() == Some(to) && written.positions.iter().all(own)
        }),
        (Storage::Sparse(encoding), OutputMode::Append) if encoding.joins() => heights
            .into_iter()
            .find(|height| written.first_levels.iter().all(|level| is_own(level, var, *height))),
        (Storage::Sparse(_), OutputMode::Pattern(of)) if has_values_by_rows(kernel, of) => {
            let rows = written.segments.iter().filter(|(operand, _)| *operand == of);
            let rows: Vec<_> = rows.map(|(_, row)| row.as_ref()).collect();
            heights.into_iter().find(|height| {
                let own = |row: &Option<&Int>| row.is_some_and(|row| is_own(row, var, *height));
                !rows.is_empty() && rows.iter().all(own)
            })
        }
        _ => None,
    }
}

/// The variable, the number of iterations and the body of the outermost loop, if it should run in parallel and each part can also
/// run all statements around it.
fn parallel_loop(kernel: &Kernel) -> Option<(Var, &Int, &Body)> {
    let is_number = kernel.operands[kernel.output].storage == Storage::Scalar;
    let mut found = None;
    for stmt in &kernel.body {
        match stmt {
            Stmt::Range { var, to, hint: Hint { parallel: true, .. }, body }
                if found.is_none() && is_size(to) =>
            {
                found = Some((*var, to, body));
            }
            Stmt::Let { .. } if found.is_none() => {}
            // The sum of each part, which is added to the number of that part.
            Stmt::Local { .. } if found.is_none() && is_number => {}
            Stmt::Store { .. } if is_number => {}
            _ => return None,
        }
    }
    found
}

/// Whether a number is known before the loops.
fn is_size(number: &Int) -> bool {
    match number {
        Int::Const(_) | Int::Size(_) | Int::DimSize(..) => true,
        Int::Div(a, _) | Int::Rem(a, _) => is_size(a),
        Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) => {
            is_size(a) && is_size(b)
        }
        Int::Var(_) | Int::LevelSize(..) | Int::LevelLeast(..) => false,
        Int::Offset(..) | Int::Element(..) => false,
    }
}

/// Whether the values below a row of an operand are contiguous, and the second level is the first one that stores coordinates.
pub(super) fn has_values_by_rows(kernel: &Kernel, of: OperandId) -> bool {
    let Some(encoding) = encoding(kernel, of) else { return false };
    let formats = encoding.levels().iter().map(|level| level.format);
    encoding.joins() && formats.take(2).eq([LevelFormat::Dense, LevelFormat::Compressed])
}

/// The outputs that the body of a loop writes.
#[derive(Default)]
struct Written {
    /// Positions in the output.
    positions: Vec<Int>,
    /// Coordinates of entries on the first level of the output.
    first_levels: Vec<Int>,
    /// The position above each segment of a second level that is visited; `None` if it is not a single position.
    segments: Vec<(OperandId, Option<Int>)>,
}

impl Written {
    /// `lets` are the definitions of the variables.
    fn collect(&mut self, block: &Body, lets: &mut BTreeMap<Var, Int>) {
        for stmt in block {
            match stmt {
                Stmt::Let { var, value } => {
                    lets.insert(*var, value.inlined(lets));
                }
                Stmt::Store { at, .. } | Stmt::StoreLanes { at, .. } => {
                    self.positions.push(at.inlined(lets));
                }
                Stmt::Append(entry) => {
                    self.first_levels.extend(entry.levels.first().map(|x| x.inlined(lets)));
                }
                Stmt::Entries { iter, .. } => self.segment(iter, lets),
                Stmt::Merge { iters, .. } => iters.iter().for_each(|iter| self.segment(iter, lets)),
                Stmt::Find { operand, level: 1, segment, .. } => {
                    self.segments.push((*operand, above(segment, lets)));
                }
                _ => {}
            }
            stmt.blocks(&mut |inner| self.collect(inner, lets));
        }
    }

    fn segment(&mut self, iter: &LevelIter, lets: &BTreeMap<Var, Int>) {
        if iter.level == 1 {
            self.segments.push((iter.operand, above(&iter.segment, lets)));
        }
    }
}

/// The position above a segment.
pub(super) fn above(segment: &Segment, lets: &BTreeMap<Var, Int>) -> Option<Int> {
    match segment {
        Segment::Below(above) => Some(above.inlined(lets)),
        Segment::Group(..) => None,
    }
}

/// The row of a position in row-major order: `i` of `i * n + k`.
pub(super) fn row(at: &Int, rank: usize, operand: OperandId) -> Option<&Int> {
    if rank == 1 {
        return Some(at);
    }
    let Int::Add(rows, _) = at else { return None };
    match &**rows {
        Int::Mul(rows, size) if **size == Int::DimSize(operand, rank - 1) => {
            row(rows, rank - 1, operand)
        }
        _ => None,
    }
}

/// Whether a row is written by only one iteration of `var`.
fn is_own(row: &Int, var: Var, height: i64) -> bool {
    match row {
        Int::Var(own) => *own == var && height == 1,
        Int::Add(first, part) if height > 1 && matches!(**part, Int::Var(_)) => {
            **first == Int::Var(var).times(Int::Const(height))
        }
        _ => false,
    }
}
