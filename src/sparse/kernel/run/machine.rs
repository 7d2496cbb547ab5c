//! The loops, step by step.

use super::super::literal;
use super::error::RunError;
use super::level::{Group, Places};
use super::operand::{DynOperand, Operands};
use super::output::{Output, filled};
use super::{Evaluate, Given};
use crate::sparse::{DynSparseTensor, SparseElement};
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sparse_kernel::Literal;
use layout_core::sparse_kernel::ir::*;

type Run<T> = Result<T, RunError>;

pub(super) fn run<T: Evaluate>(
    kernel: &Kernel,
    operands: &[DynOperand<T>],
    functions: &[Given<T>],
) -> Run<DynOperand<T>> {
    let operands = Operands::new(kernel, operands)?;
    let mut machine = Machine {
        kernel,
        operands: &operands,
        functions,
        sizes: Vec::new(),
        vars: alloc::vec![0; kernel.vars.len()],
        locals: alloc::vec![(T::Wide::ZERO, false); kernel.locals.len()],
        workspaces: Vec::new(),
        output: None,
    };
    for index in &kernel.indices {
        let size = machine.size(&index.size);
        machine.sizes.push(size);
    }
    machine.check_sizes()?;
    let shape = kernel.output_shape.iter().map(|size| machine.size(size) as usize).collect();
    let identity = machine.identity()?;
    for workspace in &kernel.workspaces {
        let size = machine.size(&workspace.size) as usize;
        let values = filled(size, identity)?;
        let touched = filled(size, false)?;
        machine.workspaces.push(Scattered { values, touched, places: Vec::new() });
    }
    machine.output = Some(Output::new(kernel, shape, &operands, identity)?);
    machine.block(&kernel.body)?;
    match machine.output.take() {
        Some(output) => output.finish(kernel, |a, b| machine.reduce(a, b)),
        None => Err(RunError::OutOfMemory { values: 0 }),
    }
}

/// Computes in [`SparseElement::Wide`], as what the macro makes does.
struct Machine<'a, T: Evaluate> {
    kernel: &'a Kernel,
    operands: &'a Operands<'a, T>,
    functions: &'a [Given<T>],
    sizes: Vec<i64>,
    vars: Vec<i64>,
    /// Values, and whether something was accumulated.
    locals: Vec<(T::Wide, bool)>,
    workspaces: Vec<Scattered<T::Wide>>,
    /// There until the run is over.
    output: Option<Output<T>>,
}

struct Scattered<T> {
    values: Vec<T>,
    touched: Vec<bool>,
    places: Vec<usize>,
}

impl<'a, T: Evaluate> Machine<'a, T> {
    fn check_sizes(&self) -> Run<()> {
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

    fn dim(&self, operand: OperandId, dim: usize) -> i64 {
        let shape = match self.operands.get(operand) {
            Some(operand) => operand.shape(),
            None => self.output.as_ref().map_or(&[][..], |output| &output.shape),
        };
        shape.get(dim).map_or(0, |size| *size as i64)
    }

    fn int(&self, int: &Int) -> i64 {
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
            Int::Add(a, b) => self.int(a).wrapping_add(self.int(b)),
            Int::Sub(a, b) => self.int(a).wrapping_sub(self.int(b)),
            Int::Mul(a, b) => self.int(a).wrapping_mul(self.int(b)),
            Int::Div(a, b) => self.int(a).div_euclid(*b),
            Int::Rem(a, b) => self.int(a).rem_euclid(*b),
            Int::Max(a, b) => self.int(a).max(self.int(b)),
        }
    }

    /// A size. One that is too large to be counted is as large as can be, so that no memory is found for it.
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

    fn place(&self, int: &Int) -> usize {
        self.int(int) as usize
    }

    fn block(&mut self, block: &Block) -> Run<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Run<()> {
        match stmt {
            Stmt::Let { var, value } => {
                self.vars[var.0] = self.int(value);
                Ok(())
            }
            Stmt::Range { var, to, body, .. } => {
                for coordinate in 0..self.int(to) {
                    self.vars[var.0] = coordinate;
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Walk { iter, body, .. } => {
                let Some(places) = self.places(iter) else { return Ok(()) };
                for group in places {
                    self.bind(iter, &group);
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Merge { var, iters, range, cases, .. } => self.merge(*var, iters, range, cases),
            Stmt::Find { operand, level, segment, coordinate, place, end, found, absent } => {
                let wanted = self.int(coordinate);
                match self.find(*operand, *level, segment, wanted) {
                    Some(places) => {
                        self.vars[place.0] = places.start as i64;
                        if let Some(end) = end {
                            self.vars[end.0] = places.end as i64;
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
                let (at, mut value) = (self.place(at), self.value(value)?);
                if *reduce && let Some(output) = &self.output {
                    value = self.reduce(output.values[at], value)?;
                }
                if let Some(output) = &mut self.output {
                    output.values[at] = value;
                }
                Ok(())
            }
            Stmt::Append { index, value, .. } => {
                let value = self.value(value)?;
                let index: Vec<usize> = index.iter().map(|x| self.place(x)).collect();
                if let Some(output) = &mut self.output {
                    output.append(index.into_iter(), value);
                }
                Ok(())
            }
            Stmt::Scatter { workspace, at, value } => {
                let (at, value) = (self.place(at), self.value(value)?);
                let value = self.reduce(self.workspaces[*workspace].values[at], value)?;
                let scattered = &mut self.workspaces[*workspace];
                scattered.values[at] = value;
                if !core::mem::replace(&mut scattered.touched[at], true) {
                    scattered.places.push(at);
                }
                Ok(())
            }
            Stmt::Drain { workspace, at, value, body } => {
                let identity = self.identity()?;
                let mut places = core::mem::take(&mut self.workspaces[*workspace].places);
                places.sort_unstable();
                for place in places {
                    let scattered = &mut self.workspaces[*workspace];
                    scattered.touched[place] = false;
                    let sum = core::mem::replace(&mut scattered.values[place], identity);
                    self.vars[at.0] = place as i64;
                    self.locals[value.0] = (sum, true);
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Clear { workspace } => {
                let identity = self.identity()?;
                self.workspaces[*workspace].values.fill(identity);
                Ok(())
            }
        }
    }

    /// The places of a segment.
    fn segment(
        &self,
        operand: OperandId,
        level: usize,
        segment: &Segment,
    ) -> Option<(&'a DynSparseTensor<T>, Range<usize>)> {
        let tensor = self.operands.sparse(operand)?;
        let places = match segment {
            Segment::Below(above) => tensor.below(level, self.place(above)),
            Segment::Group(from, to) => self.vars[from.0] as usize..self.vars[to.0] as usize,
        };
        Some((tensor, places))
    }

    fn places(&self, iter: &LevelIter) -> Option<Places<'a, T>> {
        let (tensor, places) = self.segment(iter.operand, iter.level, &iter.segment)?;
        let shift = iter.shift.as_ref().map_or(0, |shift| self.int(shift));
        Some(Places::new(tensor, iter, places, shift))
    }

    fn bind(&mut self, iter: &LevelIter, group: &Group) {
        self.vars[iter.coordinate.0] = group.coordinate;
        self.vars[iter.place.0] = group.places.start as i64;
        if let Some(end) = iter.end {
            self.vars[end.0] = group.places.end as i64;
        }
    }

    fn merge(
        &mut self,
        var: Var,
        iters: &[LevelIter],
        range: &Option<Int>,
        cases: &[Case],
    ) -> Run<()> {
        let places: Option<Vec<_>> = iters.iter().map(|iter| self.places(iter)).collect();
        let Some(mut places) = places else { return Ok(()) };
        let mut heads: Vec<Option<Group>> = places.iter_mut().map(Iterator::next).collect();
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
                    heads[nth] = places[nth].next();
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
        let (tensor, places) = self.segment(operand, level, segment)?;
        let first = |least: i64| {
            let (mut start, mut end) = (places.start, places.end);
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

    fn identity(&self) -> Run<T::Wide> {
        let bounds = || T::BOUNDS.ok_or(RunError::Unsupported { name: "max" });
        Ok(match self.kernel.reduction {
            Reduction::Sum => T::Wide::ZERO,
            Reduction::Product => T::ONE.widen(),
            Reduction::Max => bounds()?.0.widen(),
            Reduction::Min => bounds()?.1.widen(),
            Reduction::Custom { identity, .. } => self.functions[identity].call(&[]).widen(),
        })
    }

    fn reduce(&self, a: T::Wide, b: T::Wide) -> Run<T::Wide> {
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

    fn value(&self, value: &Value) -> Run<T::Wide> {
        Ok(match value {
            Value::Literal(text) => {
                Literal::parse(text).map_or(T::ZERO, literal::value::<T>).widen()
            }
            Value::Zero => T::Wide::ZERO,
            Value::Identity => self.identity()?,
            Value::Load { operand, at } => match self.operands.get(*operand) {
                Some(operand) => operand.values()[self.place(at)].widen(),
                None => T::Wide::ZERO,
            },
            Value::LoadSum { operand, from, to } => {
                let places = self.vars[from.0] as usize..self.vars[to.0] as usize;
                let values = self.operands.get(*operand).map_or(&[][..], |o| &o.values()[places]);
                let sum = values.iter().map(|value| value.widen()).reduce(T::Wide::plus);
                // They count as one element.
                sum.map_or(T::Wide::ZERO, |sum| T::narrow(sum).widen())
            }
            Value::Local(local) => self.locals[local.0].0,
            Value::Workspace { workspace, at } => {
                self.workspaces[*workspace].values[self.place(at)]
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
                let arguments: Run<Vec<T>> =
                    arguments.iter().map(|a| self.value(a).map(T::narrow)).collect();
                self.functions[*function].call(&arguments?).widen()
            }
        })
    }
}
