//! The innermost statement: the value that it computes, and the position at which it is written.

use super::super::ir::*;
use super::super::statement::Expr;
use super::super::view::Holds;
use super::settle::{full_position, is_constant};
use super::state::{Found, State};
use super::{Lower, Lowered, Stuck};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Lower<'_> {
    /// The innermost statement.
    pub(super) fn contribute(&self, state: &State, block: &mut Body) {
        let value = state.value.with_all();
        if value == Expr::Zero {
            return;
        }
        let value = self.value(state, &value);
        let statement = match state.accumulator {
            Some(local) => Stmt::Accumulate { local, value },
            None if state.in_workspace => {
                let Some(at) = self.workspace_position(state) else { return };
                Stmt::Scatter { workspace: 0, at, value }
            }
            None => self.write(state, value),
        };
        match state.guard.as_ref().map(Expr::with_all) {
            None => block.push(statement),
            Some(Expr::Zero) => {}
            Some(guard) if is_constant(&guard) => block.push(statement),
            Some(guard) => {
                let condition = self.value(state, &guard);
                block.push(Stmt::When { condition, then: alloc::vec![statement] });
            }
        }
    }

    /// The statement that writes a value to the output.
    fn write(&self, state: &State, value: Value) -> Stmt {
        let reduce = self.statement.accumulates || !self.output.single;
        match self.output.mode {
            OutputMode::Positions => Stmt::Store { at: self.output_position(state), reduce, value },
            OutputMode::Pattern(_) => {
                let found = self.pattern.map(|access| &state.cursors[access].found);
                let at = match found {
                    Some(Some(Found::One(at))) => at.clone(),
                    Some(Some(Found::Several(from, _))) => Int::Var(*from),
                    _ => Int::Const(0),
                };
                Stmt::Store { at, reduce, value }
            }
            OutputMode::Append | OutputMode::Collect { .. } => {
                let index = self.output_index(state);
                let levels = match self.output.mode {
                    OutputMode::Append => self.output_levels(state),
                    _ => Vec::new(),
                };
                Stmt::Append(Entry { index, levels, value })
            }
        }
    }

    fn output_index(&self, state: &State) -> Vec<Int> {
        let targets = self.statement.target.iter();
        let values = targets.map(|subscript| self.sum(state, &subscript.terms, subscript.constant));
        values.map(|value| value.unwrap_or(Int::Const(0))).collect()
    }

    fn output_levels(&self, state: &State) -> Vec<Int> {
        let level = |holds: Option<&Holds>| holds.and_then(|holds| self.known(state, holds));
        let levels = self.target.levels.iter().map(|view| level(view.holds.as_ref()));
        levels.map(|coordinate| coordinate.unwrap_or(Int::Const(0))).collect()
    }

    /// The position in an output in which every position exists.
    fn output_position(&self, state: &State) -> Int {
        let mut at = Int::Const(0);
        for level in &self.target.levels {
            let coordinate = level.holds.as_ref().and_then(|holds| self.known(state, holds));
            at = full_position(at, level, coordinate.unwrap_or(Int::Const(0)));
        }
        at
    }

    fn workspace_position(&self, state: &State) -> Option<Int> {
        let (_, parts) = self.output.workspace.as_ref()?;
        let mut at = Int::Const(0);
        for (nth, (index, part)) in parts.iter().enumerate() {
            if nth > 0 {
                at = at.times(self.plan.part_size(*index, *part));
            }
            at = at.plus(state.parts[*index][*part].clone()?);
        }
        Some(at)
    }

    /// Adds loops whose values are reduced to one element of the output: around them, all indices of the output are known.
    pub(super) fn accumulated(&mut self, mut state: State, block: &mut Body) -> Lowered<()> {
        let local = self.local(&mut state, "sum");
        state.accumulator = Some(local);
        let body = self.nest(state.clone())?;
        if body.is_empty() {
            return Ok(());
        }
        block.push(Stmt::Local { local, value: Value::Identity });
        block.extend(body);
        let write = self.write(&state, Value::Local(local));
        match self.output.mode {
            OutputMode::Positions | OutputMode::Pattern(_) => block.push(write),
            _ => block.push(Stmt::IfTouched { local, then: alloc::vec![write] }),
        }
        Ok(())
    }

    /// Adds loops that write to a workspace, and the loop that empties it.
    pub(super) fn drained(&mut self, mut state: State, block: &mut Body) -> Lowered<()> {
        let Some((_, parts)) = self.output.workspace.clone() else { return Err(Stuck::Large) };
        let mut within = state.clone();
        within.in_workspace = true;
        let body = self.nest(within)?;
        if body.is_empty() {
            return Ok(());
        }
        block.extend(body);
        let whole = parts.len() == 1;
        let name = match parts.first() {
            Some((index, part)) if whole => self.part_name(*index, *part),
            _ => "at".into(),
        };
        let at = self.var(&mut state, &name);
        let value = self.local(&mut state, "value");
        // The last part is the remainder, and the first part is the quotient by all others. If the last of two parts has size 4,
        // position 23 of the workspace is 5 in the first part and 3 in the last.
        let mut rest = Int::Var(at);
        let mut body = Vec::new();
        for (nth, (index, part)) in parts.iter().enumerate().rev() {
            let coordinate = match self.plan.part_size(*index, *part) {
                Int::Const(size) if nth > 0 => {
                    let digit = rest.clone().modulo(size);
                    rest = rest.over(size);
                    digit
                }
                _ => rest.clone(),
            };
            state.bind(*index, *part, coordinate);
        }
        // Indices with several parts.
        for index in 0..state.indices.len() {
            if state.indices[index].is_none() && state.parts[index].iter().all(Option::is_some) {
                let all = 0..state.parts[index].len();
                state.indices[index] = self.parts_value(&state, index, all);
            }
        }
        body.push(self.write(&state, Value::Local(value)));
        block.push(Stmt::Drain { workspace: 0, at, value, body });
        Ok(())
    }

    /// An expression as a value. The positions of all its operands must be known.
    fn value(&self, state: &State, expr: &Expr) -> Value {
        let part = |expr: &Expr| Box::new(self.value(state, expr));
        match expr {
            Expr::Zero => Value::Zero,
            Expr::Literal(text) => Value::Literal(text.clone()),
            Expr::Access(access) => self.load(state, *access),
            Expr::Scalar(operand) => Value::Load { operand: *operand, at: Int::Const(0) },
            Expr::Index(index) => {
                Value::Index(state.indices[*index].clone().unwrap_or(Int::Const(0)))
            }
            Expr::Unary(op, a) => Value::Unary(*op, part(a)),
            Expr::Binary(op, a, b) => Value::Binary(*op, part(a), part(b)),
            Expr::Select(condition, a, b) => Value::Select(part(condition), part(a), part(b)),
            Expr::Call(function, arguments) => {
                Value::Call(*function, arguments.iter().map(|a| self.value(state, a)).collect())
            }
            // `with_all` has already replaced these.
            Expr::Overlap { .. } | Expr::Product(..) | Expr::Presence { .. } => Value::Zero,
        }
    }
}
