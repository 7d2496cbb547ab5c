//! Statements that the passes of the compiler introduce. They run the same operations in the same order as the Rust that the
//! macro generates.

use super::super::widen::WidenTo;
use super::Evaluate;
use super::level::Group;
use super::machine::{Machine, Outcome};
use crate::sparse::SparseElement;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ir::{
    Body, Int, Lanes, LevelIter, Local, Stmt, Storage, Value, Var, WorkspaceId,
};
use layout_core::sparse_kernel::part_of_a_sum;

/// The number of sums in which a segment is added up.
const LANES: usize = 4;
/// The number of parts of a parallel loop; here they run one after another.
const PARTS: usize = 3;
/// The number of shares in which kernels with a common outermost loop compute their rows alternately. If there are at most as
/// many rows, a share is a row, as in the Rust that the macro generates.
pub(super) const SHARES: usize = 16;

impl<T: Evaluate, V: SparseElement + WidenTo<T::Wide>> Machine<'_, T, V> {
    /// Runs the loops once or, if they are parallel, once for each part of the output.
    pub(super) fn parts(&mut self) -> Outcome<()> {
        let kernel = self.kernel;
        let Some(height) = kernel.parts else { return self.block(&kernel.body) };
        let iterations = self.iterations(&kernel.body);
        let Some(output) = &self.output else { return Ok(()) };
        let dense = matches!(kernel.operands[kernel.output].storage, Storage::Dense { .. });
        let rows = output.shape.first().copied().unwrap_or(0);
        let width = output.values.len().checked_div(rows).unwrap_or(0);
        let is_number = kernel.operands[kernel.output].storage == Storage::Scalar;
        let height = height as usize;
        let size = match is_number {
            true => part_of_a_sum(iterations),
            false => iterations.div_ceil(PARTS).max(1),
        };
        let identity = self.identity()?;
        let mut sum = None;
        for first in (0..iterations).step_by(size) {
            let end = (first + size).min(iterations);
            self.rows = first as i64..end as i64;
            if dense {
                self.own = first * height * width..(end * height).min(rows) * width;
            }
            self.block(&kernel.body)?;
            // Each part of a sum starts from the identity.
            if is_number && let Some(output) = &mut self.output {
                let part = core::mem::replace(&mut output.values[0], identity);
                sum = Some(match sum {
                    Some(sum) => self.reduce(sum, part)?,
                    None => part,
                });
            }
        }
        if let (Some(sum), Some(output)) = (sum, &mut self.output) {
            output.values[0] = sum;
        }
        Ok(())
    }

    /// Runs the outermost loop for a share of its iterations.
    pub(super) fn share(&mut self, nth: usize) -> Outcome<()> {
        let kernel = self.kernel;
        let Some((var, to, body)) = kernel.outermost() else { return Ok(()) };
        let to = self.int(to);
        let size = to.max(0).cast_unsigned().div_ceil(SHARES as u64) as i64;
        let first = size * nth as i64;
        if nth == 0 && kernel.body.first() == Some(&Stmt::Fill) {
            self.block(&[Stmt::Fill].into())?;
        }
        (first.min(to)..(first + size).min(to)).try_for_each(|row| {
            self.vars[var.0] = row;
            self.block(body)
        })
    }

    /// The number of iterations of the parallel loop.
    fn iterations(&self, block: &Body) -> usize {
        let mut found = 0;
        for stmt in block {
            stmt.any(&mut |stmt| match stmt {
                Stmt::Range { to, hint, .. } if hint.parallel => {
                    found = self.int(to).max(0) as usize;
                    true
                }
                _ => false,
            });
        }
        found
    }

    /// Writes an element of the output, which must belong to this part.
    pub(super) fn store(&mut self, at: usize, reduce: bool, mut value: T::Wide) -> Outcome<()> {
        debug_assert!(self.own.contains(&at), "{at} is not in {:?}", self.own);
        if reduce && let Some(output) = &self.output {
            value = self.reduce(output.values[at], value)?;
        }
        if let Some(output) = &mut self.output {
            output.values[at] = value;
        }
        Ok(())
    }

    pub(super) fn append(&mut self, index: &[Int], value: &Value) -> Outcome<()> {
        let value = self.value(value)?;
        let index: Vec<usize> = index.iter().map(|x| self.index(x)).collect();
        if let Some(output) = &mut self.output {
            output.append(index.into_iter(), value);
        }
        Ok(())
    }

    pub(super) fn scatter(
        &mut self,
        workspace: WorkspaceId,
        at: usize,
        value: &Value,
    ) -> Outcome<()> {
        let value = self.value(value)?;
        let value = self.reduce(self.workspaces[workspace].values[at], value)?;
        let scattered = &mut self.workspaces[workspace];
        scattered.values[at] = value;
        if !core::mem::replace(&mut scattered.touched[at], true) {
            scattered.positions.push(at);
        }
        Ok(())
    }

    /// Runs `each` for every position that was scattered to, in ascending order.
    pub(super) fn drain(
        &mut self,
        workspace: WorkspaceId,
        at: Var,
        value: Local,
        mut each: impl FnMut(&mut Self) -> Outcome<()>,
    ) -> Outcome<()> {
        let identity = self.identity()?;
        let mut positions = core::mem::take(&mut self.workspaces[workspace].positions);
        positions.sort_unstable();
        for position in positions {
            let scattered = &mut self.workspaces[workspace];
            scattered.touched[position] = false;
            let sum = core::mem::replace(&mut scattered.values[position], identity);
            self.vars[at.0] = position as i64;
            self.locals[value.0] = (sum, true);
            each(self)?;
        }
        Ok(())
    }

    /// Adds up a segment in four sums: of entries 0, 4, 8, .., of entries 1, 5, 9, .. and so on. If a single entry is left over
    /// after a multiple of four, it is added at the end.
    pub(super) fn gather(&mut self, local: Local, iter: &LevelIter, term: &Value) -> Outcome<()> {
        let Some(groups) = self.groups(iter) else { return Ok(()) };
        let groups: Vec<Group> = groups.collect();
        if groups.is_empty() {
            let identity = self.identity()?;
            let (sum, touched) = self.locals[local.0];
            self.locals[local.0] = (self.reduce(sum, identity)?, touched);
            return Ok(());
        }
        let mut terms = Vec::with_capacity(groups.len());
        for group in &groups {
            self.bind(iter, group);
            terms.push(self.value(term)?);
        }
        let mut lanes = [self.identity()?; LANES];
        let paired = terms.len() - usize::from(terms.len() % LANES == 1);
        for (nth, term) in terms[..paired].iter().enumerate() {
            lanes[nth % LANES] = self.reduce(lanes[nth % LANES], *term)?;
        }
        let halves = [self.reduce(lanes[0], lanes[2])?, self.reduce(lanes[1], lanes[3])?];
        let mut sum = self.reduce(halves[0], halves[1])?;
        for term in &terms[paired..] {
            sum = self.reduce(sum, *term)?;
        }
        self.locals[local.0] = (self.reduce(self.locals[local.0].0, sum)?, true);
        Ok(())
    }

    /// Appends an entry for each coordinate of two segments.
    pub(super) fn union(
        &mut self,
        var: Var,
        iters: &[LevelIter; 2],
        index: &[Int],
        values: &[Value; 3],
    ) -> Outcome<()> {
        let (Some(mut a), Some(mut b)) = (self.groups(&iters[0]), self.groups(&iters[1])) else {
            return Ok(());
        };
        let (mut first, mut second) = (a.next(), b.next());
        loop {
            let heads = [&first, &second].map(|head| head.as_ref().map(|group| group.coordinate));
            let Some(coordinate) = heads.into_iter().flatten().min() else { return Ok(()) };
            let here = heads.map(|head| head == Some(coordinate));
            self.vars[var.0] = coordinate;
            for (iter, head) in iters.iter().zip([&first, &second]) {
                if let Some(group) = head {
                    let group = Group { coordinate, positions: group.positions.clone() };
                    self.bind(iter, &group);
                }
            }
            let which = usize::from(!here[0]) + 2 * usize::from(!here[1]);
            self.append(index, &values[which])?;
            if here[0] {
                first = a.next();
            }
            if here[1] {
                second = b.next();
            }
        }
    }

    /// The number of lanes of the strip.
    pub(super) fn lanes(&self) -> usize {
        self.sums.first().map_or(0, Vec::len)
    }

    /// Runs the strips one after the other, each with its own sums.
    pub(super) fn strips(
        &mut self,
        lanes: &Lanes,
        rows: usize,
        groups: Option<(Var, i64)>,
        body: &Body,
    ) -> Outcome<()> {
        let identity = self.identity()?;
        let group = |machine: &mut Self, width: i64| {
            machine.sums = alloc::vec![alloc::vec![identity; width as usize]; rows];
            machine.block(body)
        };
        let strip = |machine: &mut Self, width: i64| match groups {
            Some((var, number)) => (0..number).try_for_each(|number| {
                machine.vars[var.0] = number;
                group(machine, width)
            }),
            None => group(machine, width),
        };
        match lanes {
            Lanes::Block { size } => strip(self, *size),
            Lanes::Index { first, to, widths } => {
                let to = self.int(to);
                self.vars[first.0] = 0;
                for width in widths {
                    while self.vars[first.0] + width <= to {
                        strip(self, *width)?;
                        self.vars[first.0] += width;
                    }
                }
                Ok(())
            }
        }
    }
}
