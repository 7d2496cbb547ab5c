//! The interpreter of the loops.

use super::super::index::first_outside;
use super::super::literal;
use super::super::widen::WidenTo;
use super::error::RunError;
use super::level::{Group, Groups};
use super::operand::{DynOperand, Operands};
use super::output::{Output, filled};
use super::{Evaluate, Given};
use crate::sparse::{DynSparseTensor, SparseElement};
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sparse_kernel::Literal;
use layout_core::sparse_kernel::ir::{
    BinaryOp, Body, Case, Entry, IndexId, Int, Kernel, LevelIter, OperandId, Reduction, Segment,
    Stmt, Storage, Value, Var, Vector, VectorId, VectorLen, WorkspaceId,
};

pub(super) type Outcome<T> = Result<T, RunError>;

/// Runs a kernel on operands whose values have the type `V`, which is either the element type of the output or the type in
/// which it is computed.
pub(super) fn run<T: Evaluate, V: SparseElement + WidenTo<T::Wide>>(
    kernel: &Kernel,
    operands: Vec<&DynOperand<V>>,
    elements: &[Option<Vec<i64>>],
    functions: &[Given<T>],
    element: impl Fn(V) -> V,
    share: Option<Share<'_, T::Wide>>,
) -> Outcome<DynOperand<T>> {
    let operands = Operands::new(kernel, operands, elements, element)?;
    let mut machine = Machine {
        kernel,
        operands: &operands,
        functions,
        sizes: Vec::new(),
        vars: alloc::vec![0; kernel.vars.len()],
        locals: alloc::vec![(T::Wide::ZERO, false); kernel.locals.len()],
        workspaces: Vec::new(),
        vectors: alloc::vec![Vec::new(); kernel.vectors.len()],
        sums: Vec::new(),
        rows: 0..i64::MAX,
        own: 0..usize::MAX,
        output: None,
    };
    for index in &kernel.indices {
        let size = machine.size(&index.size);
        machine.sizes.push(size);
    }
    machine.check_sizes()?;
    machine.check_elements()?;
    let shape = kernel.output_shape.iter().map(|size| machine.size(size) as usize).collect();
    let identity = machine.identity()?;
    for workspace in &kernel.workspaces {
        let size = machine.size(&workspace.size) as usize;
        let values = filled(size, identity)?;
        let touched = filled(size, false)?;
        machine.workspaces.push(Scattered { values, touched, positions: Vec::new() });
    }
    let mut output = Output::new(kernel, shape, &operands, identity)?;
    if let Some(so_far) = share.as_ref().and_then(|share| share.so_far) {
        output.values.copy_from_slice(so_far);
    }
    machine.output = Some(output);
    match share {
        Some(share) => machine.share(share.nth)?,
        None => machine.parts()?,
    }
    match machine.output.take() {
        Some(output) => output.finish(kernel, |a, b| machine.reduce(a, b)),
        None => Err(RunError::OutOfMemory { values: 0 }),
    }
}

/// The share of the rows that a kernel computes before the next kernel with the same outermost loop computes the same share.
pub(super) struct Share<'a, W> {
    /// Its number, below [`SHARES`](super::fast::SHARES).
    pub(super) nth: usize,
    /// The output with the earlier rows.
    pub(super) so_far: Option<&'a [W]>,
}

/// The state of a run. It computes in [`SparseElement::Wide`], as the generated Rust does.
pub(super) struct Machine<'a, T: Evaluate, V> {
    pub(super) kernel: &'a Kernel,
    pub(super) operands: &'a Operands<'a, V>,
    pub(super) functions: &'a [Given<T>],
    pub(super) sizes: Vec<i64>,
    pub(super) vars: Vec<i64>,
    /// The accumulators: the value, and whether anything was accumulated.
    pub(super) locals: Vec<(T::Wide, bool)>,
    pub(super) workspaces: Vec<Scattered<T::Wide>>,
    /// The values of each vector.
    pub(super) vectors: Vec<Vec<T::Wide>>,
    /// The sums of a strip, row by row.
    pub(super) sums: Vec<Vec<T::Wide>>,
    /// The iterations of the parallel loop that belong to this part, and the positions of the output that it may write.
    pub(super) rows: Range<i64>,
    pub(super) own: Range<usize>,
    /// `None` after the run.
    pub(super) output: Option<Output<T>>,
}

/// An array to which values are added in any order. After additions to 4, 1 and 4, `touched` is set at 1 and 4, and `positions` is
/// `[4, 1]`: they are sorted where they are gathered, and only they are cleared.
pub(super) struct Scattered<T> {
    pub(super) values: Vec<T>,
    pub(super) touched: Vec<bool>,
    /// The positions that were scattered to.
    pub(super) positions: Vec<usize>,
}

impl<'a, T: Evaluate, V: SparseElement + WidenTo<T::Wide>> Machine<'a, T, V> {
    fn check_sizes(&self) -> Outcome<()> {
        for check in &self.kernel.size_checks {
            let found = self.dim(check.operand, check.dim);
            let expected = self.sizes[check.index];
            if found != expected {
                return Err(RunError::Size {
                    index: self.kernel.indices[check.index].name.clone(),
                    expected: expected as usize,
                    name: self.kernel.operands[check.operand].name.clone(),
                    dim: check.dim,
                    found: found as usize,
                });
            }
        }
        Ok(())
    }

    fn check_elements(&self) -> Outcome<()> {
        for check in &self.kernel.index_checks {
            let elements = self.operands.elements(check.operand);
            let name = &self.kernel.operands[check.operand].name;
            let Some(elements) = elements else {
                return Err(RunError::IndexArray { name: name.clone() });
            };
            let size = self.sizes[check.index] as usize;
            if let Some((position, found)) = first_outside(elements, size) {
                return Err(RunError::Index {
                    array: name.clone(),
                    position,
                    found: found.into(),
                    index: self.kernel.indices[check.index].name.clone(),
                    size,
                });
            }
        }
        Ok(())
    }

    fn dim(&self, operand: OperandId, dim: usize) -> i64 {
        let shape = match self.operands.get(operand) {
            Some(operand) => operand.shape(),
            None => self.output.as_ref().map_or(&[][..], |output| &output.shape),
        };
        shape.get(dim).map_or(0, |size| *size as i64)
    }

    pub(super) fn int(&self, int: &Int) -> i64 {
        let extent = |operand: &OperandId, level: &usize| {
            let storage = &self.kernel.operands[*operand].storage;
            match (self.operands.sparse(*operand), storage, &self.output) {
                (Some(tensor), ..) => Some(tensor.extent(*level)),
                (None, Storage::Sparse(encoding), Some(output)) => {
                    encoding.levels()[*level].expr.extent(&output.shape)
                }
                _ => None,
            }
        };
        match int {
            Int::Const(number) => *number,
            Int::Var(var) => self.vars[var.0],
            Int::Size(index) => self.sizes.get(*index).copied().unwrap_or(0),
            Int::DimSize(operand, dim) => self.dim(*operand, *dim),
            Int::LevelSize(operand, level) => extent(operand, level).map_or(0, |e| e.size as i64),
            Int::LevelLeast(operand, level) => extent(operand, level).map_or(0, |e| e.least),
            Int::Offset(operand, dim, a) => {
                let operand = self.operands.get(*operand);
                operand.map_or(0, |operand| operand.offset(*dim, self.index(a))) as i64
            }
            Int::Element(operand, at) => self.operands.element(*operand, self.index(at)),
            Int::Add(a, b) => self.int(a).wrapping_add(self.int(b)),
            Int::Sub(a, b) => self.int(a).wrapping_sub(self.int(b)),
            Int::Mul(a, b) => self.int(a).wrapping_mul(self.int(b)),
            Int::Div(a, b) => self.int(a).div_euclid(*b),
            Int::Rem(a, b) => self.int(a).rem_euclid(*b),
            Int::Max(a, b) => self.int(a).max(self.int(b)),
        }
    }

    /// A size. A size that does not fit becomes the largest number, so that no memory can be allocated for it.
    fn size(&self, int: &Int) -> i64 {
        self.wide(int).clamp(0, i64::MAX.into()) as i64
    }

    fn wide(&self, int: &Int) -> i128 {
        match int {
            Int::Add(a, b) => self.wide(a).saturating_add(self.wide(b)),
            Int::Sub(a, b) => self.wide(a).saturating_sub(self.wide(b)),
            Int::Mul(a, b) => self.wide(a).saturating_mul(self.wide(b)),
            Int::Div(a, b) => self.wide(a).div_euclid((*b).into()),
            Int::Max(a, b) => self.wide(a).max(self.wide(b)),
            _ => self.int(int).into(),
        }
    }

    pub(super) fn index(&self, int: &Int) -> usize {
        self.int(int) as usize
    }

    pub(super) fn block(&mut self, block: &Body) -> Outcome<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Outcome<()> {
        match stmt {
            Stmt::Let { var, value } => {
                self.vars[var.0] = self.int(value);
                Ok(())
            }
            Stmt::Range { var, to, body, hint } => {
                let parted = hint.parallel && self.kernel.parts.is_some();
                let all = if parted { self.rows.clone() } else { 0..self.int(to) };
                for coordinate in all {
                    self.vars[var.0] = coordinate;
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Entries { iter, body, .. } => {
                let Some(groups) = self.groups(iter) else { return Ok(()) };
                for group in groups {
                    self.bind(iter, &group);
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Merge { var, iters, range, cases, .. } => self.merge(*var, iters, range, cases),
            Stmt::Find { operand, level, segment, coordinate, position, end, found, absent } => {
                let wanted = self.int(coordinate);
                match self.find(*operand, *level, segment, wanted) {
                    Some(range) => {
                        self.vars[position.0] = range.start as i64;
                        if let Some(end) = end {
                            self.vars[end.0] = range.end as i64;
                        }
                        self.block(found)
                    }
                    None => self.block(absent),
                }
            }
            Stmt::Inside { value, limit, then, otherwise, .. } => {
                let inside = (0..self.int(limit)).contains(&self.int(value));
                self.block(if inside { then } else { otherwise })
            }
            Stmt::When { condition, then } => match self.value(condition)?.is_zero() {
                true => Ok(()),
                false => self.block(then),
            },
            Stmt::Local { local, value } => {
                self.locals[local.0] = (self.value(value)?, false);
                Ok(())
            }
            Stmt::Accumulate { local, value } => {
                let value = self.value(value)?;
                self.locals[local.0] = (self.reduce(self.locals[local.0].0, value)?, true);
                Ok(())
            }
            Stmt::IfTouched { local, then } => match self.locals[local.0].1 {
                true => self.block(then),
                false => Ok(()),
            },
            Stmt::Store { at, reduce, value } => {
                let (at, value) = (self.index(at), self.value(value)?);
                self.store(at, *reduce, value)
            }
            Stmt::Append(Entry { index, value, .. }) => self.append(index, value),
            Stmt::Scatter { workspace, at, value } => {
                let at = self.index(at);
                self.scatter(*workspace, at, value)
            }
            Stmt::ScatterSegment { workspace, iter, value } => {
                self.scatter_segment(*workspace, iter, value)
            }
            Stmt::Drain { workspace, at, value, body } => {
                self.drain(*workspace, *at, *value, |machine| machine.block(body))
            }
            Stmt::DrainSegment { workspace, at, value, entry } => {
                self.drain(*workspace, *at, *value, |machine| {
                    machine.append(&entry.index, &entry.value)
                })
            }
            Stmt::Union { var, iters, index, values, .. } => self.union(*var, iters, index, values),
            Stmt::Gather { local, iter, term, .. } => self.gather(*local, iter, term),
            Stmt::Fill => self.fill(),
            Stmt::IfDivides { blocks, then, otherwise } => {
                let divides = |(index, block): &(IndexId, i64)| self.sizes[*index] % block == 0;
                self.block(if blocks.iter().all(divides) { then } else { otherwise })
            }
            Stmt::Panels { body, .. } => self.block(body),
            Stmt::Strips { lanes, rows, groups, body } => {
                self.strips(lanes, *rows as usize, *groups, body)
            }
            Stmt::Lanes { lane, body } => {
                for number in 0..self.lanes() {
                    self.vars[lane.0] = number as i64;
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Add { row, lane, value } => {
                let (row, lane, value) = (self.index(row), self.index(lane), self.value(value)?);
                self.sums[row][lane] = self.reduce(self.sums[row][lane], value)?;
                Ok(())
            }
            Stmt::StoreLanes { at, row, reduce, .. } => {
                let (at, row) = (self.index(at), self.index(row));
                (0..self.lanes())
                    .try_for_each(|lane| self.store(at + lane, *reduce, self.sums[row][lane]))
            }
            Stmt::Vector { vector, at } => {
                self.load(*vector, self.index(at));
                Ok(())
            }
            // Prefetching has no effect on the result.
            Stmt::Prefetch { .. } | Stmt::PrefetchBelow { .. } => Ok(()),
        }
    }

    /// Sets the values of the output that belong to this part to the identity.
    fn fill(&mut self) -> Outcome<()> {
        let (identity, own) = (self.identity()?, self.own.clone());
        if let Some(output) = &mut self.output {
            let end = own.end.min(output.values.len());
            output.values[own.start..end].fill(identity);
        }
        Ok(())
    }

    /// Reads the values of a vector, which start at `at`.
    fn load(&mut self, vector: VectorId, at: usize) {
        let Vector { operand, len, .. } = self.kernel.vectors[vector];
        let len = match len {
            VectorLen::One => 1,
            VectorLen::Lanes => self.lanes(),
            VectorLen::Fixed(len) => len as usize,
        };
        let values = self.operands.get(operand).map_or(&[][..], DynOperand::values);
        let values = values[at..at + len].iter().map(|&value| value.widen_to());
        self.vectors[vector] = values.collect();
    }

    fn scatter_segment(
        &mut self,
        workspace: WorkspaceId,
        iter: &LevelIter,
        value: &Value,
    ) -> Outcome<()> {
        let Some(groups) = self.groups(iter) else { return Ok(()) };
        for group in groups {
            self.bind(iter, &group);
            self.scatter(workspace, group.coordinate as usize, value)?;
        }
        Ok(())
    }

    /// The positions of a segment.
    fn segment(
        &self,
        operand: OperandId,
        level: usize,
        segment: &Segment,
    ) -> Option<(&'a DynSparseTensor<V>, Range<usize>)> {
        let tensor = self.operands.sparse(operand)?;
        let range = match segment {
            Segment::Below(above) => tensor.below(level, self.index(above)),
            Segment::Group(from, to) => self.vars[from.0] as usize..self.vars[to.0] as usize,
        };
        Some((tensor, range))
    }

    pub(super) fn groups(&self, iter: &LevelIter) -> Option<Groups<'a, V>> {
        let (tensor, range) = self.segment(iter.operand, iter.level, &iter.segment)?;
        let shift = iter.shift.as_ref().map_or(0, |shift| self.int(shift));
        Some(Groups::new(tensor, iter, range, shift))
    }

    pub(super) fn bind(&mut self, iter: &LevelIter, group: &Group) {
        self.vars[iter.coordinate.0] = group.coordinate;
        self.vars[iter.position.0] = group.positions.start as i64;
        if let Some(end) = iter.end {
            self.vars[end.0] = group.positions.end as i64;
        }
    }

    fn merge(
        &mut self,
        var: Var,
        iters: &[LevelIter],
        range: &Option<Int>,
        cases: &[Case],
    ) -> Outcome<()> {
        let groups: Option<Vec<_>> = iters.iter().map(|iter| self.groups(iter)).collect();
        let Some(mut groups) = groups else { return Ok(()) };
        let mut heads: Vec<Option<Group>> = groups.iter_mut().map(Iterator::next).collect();
        let limit = range.as_ref().map(|to| self.int(to));
        let mut coordinate = -1;
        loop {
            let next = heads.iter().flatten().map(|group| group.coordinate).min();
            coordinate = match (limit, next) {
                (Some(limit), _) if coordinate + 1 >= limit => return Ok(()),
                (Some(_), _) => coordinate + 1,
                (None, Some(next)) => next,
                (None, None) => return Ok(()),
            };
            self.vars[var.0] = coordinate;
            let mut present = Vec::with_capacity(iters.len());
            for (iter, head) in iters.iter().zip(&heads) {
                let here = head.as_ref().filter(|group| group.coordinate == coordinate);
                if let Some(group) = here {
                    self.bind(iter, group);
                }
                present.push(here.is_some());
            }
            if let Some(case) = cases.iter().find(|case| case.present == present) {
                self.block(&case.body)?;
            }
            for (nth, here) in present.into_iter().enumerate() {
                if here {
                    heads[nth] = groups[nth].next();
                }
            }
        }
    }

    fn find(
        &self,
        operand: OperandId,
        level: usize,
        segment: &Segment,
        wanted: i64,
    ) -> Option<Range<usize>> {
        let (tensor, range) = self.segment(operand, level, segment)?;
        let first = |least: i64| {
            let (mut start, mut end) = (range.start, range.end);
            while start < end {
                let middle = start + (end - start) / 2;
                match tensor.stored(level, middle) < least {
                    true => start = middle + 1,
                    false => end = middle,
                }
            }
            start
        };
        let found = first(wanted)..first(wanted.checked_add(1)?);
        (!found.is_empty()).then_some(found)
    }

    pub(super) fn identity(&self) -> Outcome<T::Wide> {
        let bounds = || T::BOUNDS.ok_or(RunError::Unsupported { name: "max" });
        Ok(match self.kernel.reduction {
            Reduction::Sum => T::Wide::ZERO,
            Reduction::Product => T::ONE.widen(),
            Reduction::Max => bounds()?.0.widen(),
            Reduction::Min => bounds()?.1.widen(),
            Reduction::Custom { identity, .. } => self.functions[identity].call(&[]).widen(),
        })
    }

    pub(super) fn reduce(&self, a: T::Wide, b: T::Wide) -> Outcome<T::Wide> {
        let op = match self.kernel.reduction {
            Reduction::Sum => BinaryOp::Add,
            Reduction::Product => BinaryOp::Mul,
            Reduction::Min => BinaryOp::Min,
            Reduction::Max => BinaryOp::Max,
            Reduction::Custom { function, .. } => {
                let arguments = [T::narrow(a), T::narrow(b)];
                return Ok(self.functions[function].call(&arguments).widen());
            }
        };
        T::reduce(op, a, b).ok_or(RunError::Unsupported { name: op.name() })
    }

    pub(super) fn value(&self, value: &Value) -> Outcome<T::Wide> {
        Ok(match value {
            Value::Literal(text) => {
                Literal::parse(text).map_or(T::ZERO, literal::value::<T>).widen()
            }
            Value::Zero => T::Wide::ZERO,
            Value::Identity => self.identity()?,
            Value::Load { operand, at } => match self.operands.get(*operand) {
                Some(operand) => operand.values()[self.index(at)].widen_to(),
                None => T::Wide::ZERO,
            },
            Value::LoadSum { operand, from, to } => {
                let range = self.vars[from.0] as usize..self.vars[to.0] as usize;
                let values = self.operands.get(*operand).map_or(&[][..], |o| &o.values()[range]);
                let sum = values.iter().map(|&value| value.widen_to()).reduce(T::Wide::plus);
                // Duplicates count as one element: their sum is rounded to the type of the output if the operand has that type.
                let sum = sum.unwrap_or(T::Wide::ZERO);
                if self.kernel.is_mixed(*operand) { sum } else { T::narrow(sum).widen() }
            }
            Value::Local(local) => self.locals[local.0].0,
            Value::Workspace { workspace, at } => {
                self.workspaces[*workspace].values[self.index(at)]
            }
            Value::Vector { vector, at } => self.vectors[*vector][self.index(at)],
            Value::Sum { row, lane } => self.sums[self.index(row)][self.index(lane)],
            Value::SumOfLanes { row } => {
                let sums = self.sums[self.index(row)].iter();
                sums.copied().try_fold(self.identity()?, |sum, lane| self.reduce(sum, lane))?
            }
            Value::Index(int) => <T as Evaluate>::from_index(self.int(int)),
            Value::Unary(op, a) => {
                T::unary(*op, self.value(a)?).ok_or(RunError::Unsupported { name: op.name() })?
            }
            Value::Binary(op, a, b) => T::binary(*op, self.value(a)?, self.value(b)?)
                .ok_or(RunError::Unsupported { name: op.name() })?,
            Value::Select(condition, a, b) => match self.value(condition)?.is_zero() {
                true => self.value(b)?,
                false => self.value(a)?,
            },
            Value::Call(function, arguments) => {
                let arguments: Outcome<Vec<T>> =
                    arguments.iter().map(|a| self.value(a).map(T::narrow)).collect();
                self.functions[*function].call(&arguments?).widen()
            }
        })
    }
}
