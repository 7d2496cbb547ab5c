//! Lowers a plan to loops, from the outermost to the innermost, with a cursor in each access. If the plan cannot read an access, it
//! is stuck on it, and another plan converts the access.

mod contribute;
mod enter;
mod settle;
mod state;

pub(super) use enter::MAX_CASES;

use super::ir::*;
use super::plan::{LoopPlan, LoopVar, Mode, OutputPlan};
use super::sizes::Sizes;
use super::statement::{AccessId, Expr, HintSpec, Statement};
use super::view::View;
use crate::sparse::{LevelExpr, LevelFormat, LevelSpec, Properties, SparseDraft, SparseEncoding};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use state::State;

/// The largest number of variables of a kernel. Plans that need more, because their cases multiply, are dropped.
const MAX_VARS: usize = 1_500;

/// The largest number of blocks of statements of a kernel. Each operand that may be read outside of its bounds doubles their number:
/// twelve shifted operands take 8,191.
const MAX_BLOCKS: usize = 10_000;

/// The reason why a plan does not work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stuck {
    /// This access must be converted.
    Access(AccessId),
    /// With this access, the loop over an index has too many cases.
    Meeting {
        /// The access.
        access: AccessId,
        /// The index.
        index: IndexId,
    },
    /// There are too many variables, or too many blocks of statements.
    Large,
}

type Lowered<T> = Result<T, Stuck>;

/// Lowers `statement` to loops in the order of `plan`. Adds the number of variables that this takes to `work`, and a share of the
/// blocks of statements.
pub(super) fn lower(
    statement: &Statement,
    sizes: &Sizes,
    plan: &LoopPlan,
    work: &mut usize,
) -> Lowered<Kernel> {
    let mut kernel = kernel(statement, sizes);
    let mut views = Vec::new();
    for (number, access) in statement.accesses.iter().enumerate() {
        let mut operand = access.operand;
        if plan.modes[number].is_converted() {
            operand = convert(&mut kernel, statement, plan, number).ok_or(Stuck::Access(number))?;
        }
        views.push(View::new(operand, &kernel.operands[operand].storage, &access.subscripts));
    }
    let target = View::new(statement.output(), statement.storage_of_output(), &statement.target);
    let all = |access: AccessId| (0..views.len()).filter(move |other| *other != access);
    let pattern = (0..views.len()).find(|access| {
        let same_storage = statement.storage(*access) == statement.storage_of_output();
        let same_subscripts = statement.accesses[*access].subscripts == statement.target;
        same_storage
            && same_subscripts
            && !plan.modes[*access].is_converted()
            && statement.reduction == Reduction::Sum
            && statement.guard.is_none()
            && target.is_plain()
            && !statement.scatters()
            && !sizes.guarded[*access].contains(&true)
            && is_dead(statement, &|other| other == *access)
            && statement.value.with_all() != Expr::Zero
            // An operand has no entries outside of its bounds.
            && all(*access)
                .all(|other| views[other].is_full() && !sizes.guarded[other].contains(&true))
    });
    let unique = views.iter().all(View::is_unique);
    let output = OutputPlan::new(statement, plan, &target, pattern, unique);
    kernel.result = output.mode;
    let blocks = 0;
    let mut lower =
        Lower { statement, sizes, plan, views, target, output, pattern, kernel, blocks };
    if let Some((_, parts)) = lower.output.workspace.clone() {
        let size = parts.iter().map(|(index, part)| plan.part_size(*index, *part));
        let size = size.fold(Int::Const(1), Int::times);
        let name = format!("{}_row", lower.kernel.operands[statement.output()].name);
        lower.kernel.workspaces.push(Workspace { name, size, tracked: true });
    }
    let state = State::new(&lower);
    let body = lower.nest(state);
    // The more operands, the more work each variable takes.
    *work += (lower.kernel.vars.len() + lower.blocks / 8) * (1 + statement.accesses.len() / 8);
    lower.kernel.body = body?;
    Ok(lower.kernel)
}

/// Whether the statement is zero without these accesses.
pub(super) fn is_dead(statement: &Statement, absent: &dyn Fn(AccessId) -> bool) -> bool {
    statement.value.without(absent) == Expr::Zero
        || statement.guard.as_ref().is_some_and(|guard| guard.without(absent) == Expr::Zero)
}

fn kernel(statement: &Statement, sizes: &Sizes) -> Kernel {
    let output = statement.output();
    let operand = |(number, spec): (usize, &super::statement::OperandSpec)| KernelOperand {
        name: spec.name.clone(),
        storage: spec.storage.clone(),
        element: spec.element.clone(),
        origin: if number == output { Origin::Output } else { Origin::Parameter(number) },
        casts: spec.casts,
        layout: spec.layout.clone(),
        held: Held::All,
    };
    Kernel {
        name: statement.name.clone(),
        statement: statement.text.clone(),
        operands: statement.operands.iter().enumerate().map(operand).collect(),
        output,
        result: OutputMode::Positions,
        reduction: statement.reduction,
        accumulates: statement.accumulates,
        indices: sizes.indices.clone(),
        output_shape: sizes.output_shape.clone(),
        size_checks: sizes.checks.clone(),
        index_checks: index_checks(statement),
        vars: Vec::new(),
        locals: Vec::new(),
        workspaces: Vec::new(),
        vectors: Vec::new(),
        floats: statement.floats,
        sum_bytes: statement.sum_bytes,
        functions: statement.functions.clone(),
        parts: None,
        body: Vec::new(),
        cost: String::new(),
        notes: Vec::new(),
    }
}

fn index_checks(statement: &Statement) -> Vec<IndexCheck> {
    let check = |(index, access): (IndexId, &Option<AccessId>)| {
        Some(IndexCheck { operand: statement.accesses[(*access)?].operand, index })
    };
    statement.gathered.iter().enumerate().filter_map(check).collect()
}

/// Adds the operand to which an access is converted: its levels are in the order of the loops, and all but perhaps the first
/// are compressed.
fn convert(
    kernel: &mut Kernel,
    statement: &Statement,
    plan: &LoopPlan,
    access: AccessId,
) -> Option<OperandId> {
    let read = &statement.accesses[access];
    let mut draft = SparseDraft::new(read.subscripts.len());
    let mut done = alloc::vec![false; read.subscripts.len()];
    let mut levels = Vec::new();
    for var in &plan.order {
        let LoopVar::Part { index, part } = *var else { continue };
        // The first dimension whose subscript is the index.
        let plain = |dim: &usize| read.subscripts[*dim].plain() == Some(index);
        let Some(dim) = (0..read.subscripts.len()).find(plain) else { continue };
        done[dim] = true;
        let units = &plan.units[index];
        let modulus = part.checked_sub(1).map(|above| (units[above] / units[part]) as usize);
        let form = crate::parts::Form::dim(dim);
        levels.push(LevelExpr::Part { form, div: units[part] as usize, modulus });
    }
    for (dim, done) in done.iter().enumerate() {
        if !done {
            levels.push(LevelExpr::dim(dim));
        }
    }
    let indexed = plan.modes[access] == Mode::Indexed;
    if indexed && levels.len() == 1 {
        // If the only level were dense, every index would be stored.
        return None;
    }
    for (nth, expr) in levels.into_iter().enumerate() {
        let dense = nth == 0 && indexed;
        let format = if dense { LevelFormat::Dense } else { LevelFormat::Compressed };
        let properties = Properties::NONE;
        draft.levels = draft.levels.push(LevelSpec { expr, format, properties }).ok()?;
    }
    let encoding: SparseEncoding = draft.validate().ok()?;
    let storage = Storage::Sparse(Box::new(encoding));
    let origin = Origin::Converted(read.operand);
    let known = |operand: &KernelOperand| operand.origin == origin && operand.storage == storage;
    Some(kernel.operands.iter().position(known).unwrap_or_else(|| {
        let base = format!("{}_sorted", statement.operands[read.operand].name);
        let mut name = base.clone();
        let mut number = 1;
        while kernel.operands.iter().any(|operand| operand.name == name) {
            number += 1;
            name = format!("{base}{number}");
        }
        let element = statement.operands[read.operand].element.clone();
        let casts = statement.operands[read.operand].casts;
        let (layout, held) = (None, Held::All);
        kernel.operands.push(KernelOperand { name, storage, element, origin, casts, layout, held });
        kernel.operands.len() - 1
    }))
}

struct Lower<'a> {
    statement: &'a Statement,
    sizes: &'a Sizes,
    plan: &'a LoopPlan,
    views: Vec<View>,
    target: View,
    output: OutputPlan,
    /// The access whose positions and coordinates the output has.
    pattern: Option<AccessId>,
    kernel: Kernel,
    /// The number of blocks of statements so far.
    blocks: usize,
}

impl Lower<'_> {
    /// Whether an access is read: for its value, or as an index array through which another access is read.
    fn reads(&self, state: &State, access: AccessId) -> bool {
        let by = |subscript: &super::statement::Subscript| {
            let mut indices = subscript.terms.iter().map(|(_, index)| *index);
            indices.any(|index| self.statement.gathered[index] == Some(access))
        };
        let through = |(user, other): (usize, &super::statement::Access)| {
            other.subscripts.iter().any(by) && self.reads(state, user)
        };
        state.computes_with(access)
            || self.statement.target.iter().any(by)
            || (self.statement.is_index_array(access)
                && self.statement.accesses.iter().enumerate().any(through))
    }

    /// The loops of the nest from the current depth on.
    fn nest(&mut self, state: State) -> Lowered<Body> {
        let mut block = self.statements(state)?;
        if block.iter().all(|stmt| matches!(stmt, Stmt::Let { .. })) {
            block.clear();
        }
        Ok(block)
    }

    fn statements(&mut self, mut state: State) -> Lowered<Body> {
        self.blocks += 1;
        if self.kernel.vars.len() > MAX_VARS || self.blocks > MAX_BLOCKS {
            return Err(Stuck::Large);
        }
        let mut block = Vec::new();
        if state.is_dead() {
            return Ok(block);
        }
        if let Some(block) = self.complete(&mut state, &mut block)? {
            return Ok(block);
        }
        if let Some(block) = self.settle(&mut state, &mut block)? {
            return Ok(block);
        }
        if self.output.accumulate == Some(state.depth) && state.accumulator.is_none() {
            self.accumulated(state, &mut block)?;
        } else if self.output.workspace.as_ref().is_some_and(|(depth, _)| *depth == state.depth)
            && !state.in_workspace
        {
            self.drained(state, &mut block)?;
        } else {
            match self.plan.order.get(state.depth) {
                None => self.contribute(&state, &mut block),
                Some(LoopVar::Part { index, part }) => {
                    self.part(state, *index, *part, &mut block)?;
                }
                Some(LoopVar::Level(level)) => self.driven(state, *level, &mut block)?,
            }
        }
        Ok(block)
    }

    /// A variable whose name is not used by anything in scope.
    fn var(&mut self, state: &mut State, name: &str) -> Var {
        let name = self.fresh(state, name);
        self.kernel.vars.push(name);
        Var(self.kernel.vars.len() - 1)
    }

    fn local(&mut self, state: &mut State, name: &str) -> Local {
        let name = self.fresh(state, name);
        self.kernel.locals.push(name);
        Local(self.kernel.locals.len() - 1)
    }

    fn fresh(&self, state: &mut State, name: &str) -> String {
        let taken = |name: &String, state: &State| {
            state.names.contains(name)
                || self.kernel.operands.iter().any(|operand| operand.name == *name)
                || self.kernel.workspaces.iter().any(|workspace| workspace.name == *name)
        };
        let mut fresh = name.to_string();
        let mut number = 1;
        while taken(&fresh, state) {
            number += 1;
            fresh = format!("{name}{number}");
        }
        state.names.push(fresh.clone());
        fresh
    }

    /// The name of the coordinate of a part of an index.
    fn part_name(&self, index: IndexId, part: usize) -> String {
        let name = &self.statement.indices[index];
        if self.plan.is_split(index) { format!("{name}{part}") } else { name.clone() }
    }

    fn hint(&self, var: LoopVar) -> (Hint, bool) {
        let mut hint = Hint::default();
        let mut gallop = false;
        for (part, spec) in &self.statement.schedule.hints {
            if !self.plan.is_named(var, part) {
                continue;
            }
            match spec {
                // The outermost part of an index runs in parallel, and the innermost part in vectors.
                HintSpec::Parallel => hint.parallel = self.plan.order.first() == Some(&var),
                HintSpec::Vectorize => hint.vectorize = self.plan.order.last() == Some(&var),
                HintSpec::Unroll(times) => hint.unroll = Some(*times),
                HintSpec::Gallop => gallop = true,
            }
        }
        (hint, gallop)
    }
}
