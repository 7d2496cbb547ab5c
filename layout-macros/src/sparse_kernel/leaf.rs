//! Dense innermost loops, taken apart: what they write where, and how that depends on the coordinates of the loops.

use layout_core::sparse_kernel::ir::*;
use std::collections::BTreeMap;

/// Most iterations of a loop whose sums are kept apart.
const MOST: i64 = 16;

/// Loops over all coordinates of blocks and of at most one index, with one statement inside: `out[at] += value`.
#[derive(Clone)]
pub(crate) struct Leaf {
    /// Loops with few iterations, a number that is known: parts of blocks.
    pub(crate) blocks: Vec<(Var, i64)>,
    /// The loop over an index, the innermost one.
    pub(crate) lanes: Option<(Var, Int)>,
    pub(crate) at: Int,
    pub(crate) value: Value,
}

/// A number as a sum: what does not depend on some variables, and how often each of them is in it.
pub(crate) struct Linear {
    pub(crate) rest: Int,
    pub(crate) coefficients: BTreeMap<Var, i64>,
    /// Those that are in it a number of times that is not known.
    pub(crate) strides: BTreeMap<Var, Int>,
}

impl Linear {
    /// What does not depend on any of them.
    fn of(rest: Int) -> Self {
        Self { rest, coefficients: BTreeMap::new(), strides: BTreeMap::new() }
    }
}

impl Leaf {
    /// The loops that start with this statement. With `exact`, blocks fill their index.
    pub(crate) fn of(stmt: &Stmt, exact: bool) -> Option<Self> {
        let mut leaf =
            Self { blocks: Vec::new(), lanes: None, at: Int::Const(0), value: Value::Zero };
        let mut lets = BTreeMap::new();
        leaf.loops(stmt, exact, &mut lets, None)?;
        leaf.at = inline(&leaf.at, &lets);
        leaf.value = map(&leaf.value, &|int| inline(int, &lets));
        Some(leaf)
    }

    /// `sum` is a number that the loops add to, and where it is added in the end.
    fn loops(
        &mut self,
        stmt: &Stmt,
        exact: bool,
        lets: &mut BTreeMap<Var, Int>,
        sum: Option<(Local, &Int)>,
    ) -> Option<()> {
        let Stmt::Range { var, to, hint, body } = stmt else { return None };
        if hint.parallel || self.lanes.is_some() {
            return None;
        }
        match to {
            Int::Const(size) if (1..=MOST).contains(size) => self.blocks.push((*var, *size)),
            to => self.lanes = Some((*var, to.clone())),
        }
        self.inside(body, exact, lets, sum)
    }

    fn inside(
        &mut self,
        body: &[Stmt],
        exact: bool,
        lets: &mut BTreeMap<Var, Int>,
        sum: Option<(Local, &Int)>,
    ) -> Option<()> {
        let (last, mut before) = body.split_last()?;
        let mut last = last;
        let mut sum = sum;
        if let Stmt::Store { at, reduce: true, value: Value::Local(local) } = last
            && let [first @ .., Stmt::Local { local: made, value: Value::Identity }, loops] = before
            && made == local
        {
            (last, before, sum) = (loops, first, Some((*local, at)));
        }
        for stmt in before {
            let Stmt::Let { var, value } = stmt else { return None };
            lets.insert(*var, inline(value, lets));
        }
        match last {
            Stmt::Inside { because: Because::Blocks(..), then, .. } if exact => {
                self.inside(then, exact, lets, sum)
            }
            Stmt::Accumulate { local, value } => {
                let (_, at) = sum.filter(|(sum, _)| sum == local)?;
                (self.at, self.value) = (at.clone(), value.clone());
                Some(())
            }
            Stmt::Store { at, reduce: true, value } if sum.is_none() => {
                (self.at, self.value) = (at.clone(), value.clone());
                Some(())
            }
            stmt => self.loops(stmt, exact, lets, sum),
        }
    }

    /// The variables of its loops.
    pub(crate) fn vars(&self) -> Vec<Var> {
        let blocks = self.blocks.iter().map(|(var, _)| *var);
        blocks.chain(self.lanes.iter().map(|(var, _)| *var)).collect()
    }

    /// Where it writes, in terms of its loops.
    pub(crate) fn target(&self) -> Option<Linear> {
        strided(&self.at, &self.vars())
    }
}

/// A number as a sum over `vars`, each of which is in it a known number of times, if it is one.
pub(crate) fn linear(int: &Int, vars: &[Var]) -> Option<Linear> {
    strided(int, vars).filter(|sum| sum.strides.is_empty())
}

/// A number as a sum over `vars`, if it is one.
fn strided(int: &Int, vars: &[Var]) -> Option<Linear> {
    let varies = |int: &Int| vars.iter().any(|var| super::gather::mentions(int, *var));
    if !varies(int) {
        return Some(Linear::of(int.clone()));
    }
    match int {
        Int::Var(var) => {
            let mut sum = Linear::of(Int::Const(0));
            sum.coefficients.insert(*var, 1);
            Some(sum)
        }
        Int::Add(a, b) => {
            let (mut a, b) = (strided(a, vars)?, strided(b, vars)?);
            for (var, coefficient) in b.coefficients {
                *a.coefficients.entry(var).or_insert(0) += coefficient;
            }
            for (var, stride) in b.strides {
                if a.strides.insert(var, stride).is_some() {
                    return None;
                }
            }
            if a.strides.keys().any(|var| a.coefficients.contains_key(var)) {
                return None;
            }
            a.rest = match (a.rest, b.rest) {
                (Int::Const(0), rest) | (rest, Int::Const(0)) => rest,
                (a, b) => Int::Add(a.into(), b.into()),
            };
            Some(a)
        }
        Int::Mul(a, b) => {
            let (sum, factor) = match (&**a, &**b) {
                (sum, Int::Const(factor)) | (Int::Const(factor), sum) => (sum, *factor),
                (sum, factor) | (factor, sum) if !varies(factor) => {
                    return stretched(strided(sum, vars)?, factor);
                }
                _ => return None,
            };
            let mut sum = linear(sum, vars)?;
            for coefficient in sum.coefficients.values_mut() {
                *coefficient = coefficient.checked_mul(factor)?;
            }
            sum.rest = match sum.rest {
                Int::Const(0) => Int::Const(0),
                Int::Mul(a, b) if matches!(*b, Int::Const(_)) => match *b {
                    Int::Const(inner) => Int::Mul(a, Int::Const(inner.checked_mul(factor)?).into()),
                    _ => return None,
                },
                rest => Int::Mul(rest.into(), Int::Const(factor).into()),
            };
            Some(sum)
        }
        _ => None,
    }
}

/// A sum times a number that is not known.
fn stretched(mut sum: Linear, factor: &Int) -> Option<Linear> {
    if !sum.strides.is_empty() {
        return None;
    }
    let times = |int: Int| match int {
        Int::Const(0) => Int::Const(0),
        Int::Const(1) => factor.clone(),
        int => Int::Mul(int.into(), factor.clone().into()),
    };
    let coefficients = core::mem::take(&mut sum.coefficients);
    sum.strides = coefficients.into_iter().map(|(var, n)| (var, times(Int::Const(n)))).collect();
    sum.rest = times(sum.rest);
    Some(sum)
}

/// A number with what variables were bound to in their place.
pub(crate) fn inline(int: &Int, lets: &BTreeMap<Var, Int>) -> Int {
    let pair = |a: &Int, b: &Int| (Box::new(inline(a, lets)), Box::new(inline(b, lets)));
    match int {
        Int::Var(var) => lets.get(var).cloned().unwrap_or_else(|| int.clone()),
        Int::Const(_)
        | Int::Size(_)
        | Int::DimSize(..)
        | Int::LevelSize(..)
        | Int::LevelLeast(..) => int.clone(),
        Int::Add(a, b) => {
            let (a, b) = pair(a, b);
            Int::Add(a, b)
        }
        Int::Sub(a, b) => {
            let (a, b) = pair(a, b);
            Int::Sub(a, b)
        }
        Int::Mul(a, b) => {
            let (a, b) = pair(a, b);
            Int::Mul(a, b)
        }
        Int::Max(a, b) => {
            let (a, b) = pair(a, b);
            Int::Max(a, b)
        }
        Int::Div(a, by) => Int::Div(inline(a, lets).into(), *by),
        Int::Rem(a, by) => Int::Rem(inline(a, lets).into(), *by),
    }
}

/// A value with its whole numbers mapped.
pub(crate) fn map(value: &Value, f: &dyn Fn(&Int) -> Int) -> Value {
    let inner = |value: &Value| Box::new(map(value, f));
    match value {
        Value::Load { operand, at } => Value::Load { operand: *operand, at: f(at) },
        Value::Workspace { workspace, at } => Value::Workspace { workspace: *workspace, at: f(at) },
        Value::Index(int) => Value::Index(f(int)),
        Value::Unary(op, a) => Value::Unary(*op, inner(a)),
        Value::Binary(op, a, b) => Value::Binary(*op, inner(a), inner(b)),
        Value::Select(c, a, b) => Value::Select(inner(c), inner(a), inner(b)),
        Value::Call(function, arguments) => {
            Value::Call(*function, arguments.iter().map(|argument| map(argument, f)).collect())
        }
        Value::Literal(_)
        | Value::Zero
        | Value::Identity
        | Value::LoadSum { .. }
        | Value::Local(_) => value.clone(),
    }
}

/// Calls `f` with each load of a value.
pub(crate) fn loads(value: &Value, f: &mut dyn FnMut(OperandId, &Int)) {
    match value {
        Value::Load { operand, at } => f(*operand, at),
        Value::Unary(_, a) => loads(a, f),
        Value::Binary(_, a, b) => [a, b].iter().for_each(|value| loads(value, f)),
        Value::Select(c, a, b) => [c, a, b].iter().for_each(|value| loads(value, f)),
        Value::Call(_, arguments) => arguments.iter().for_each(|value| loads(value, f)),
        Value::Literal(_)
        | Value::Zero
        | Value::Identity
        | Value::LoadSum { .. }
        | Value::Local(_)
        | Value::Workspace { .. }
        | Value::Index(_) => {}
    }
}

/// The variables that a block binds, at any depth.
pub(crate) fn bound(block: &Block, found: &mut Vec<Var>) {
    for stmt in block {
        match stmt {
            Stmt::Let { var, .. } | Stmt::Range { var, .. } | Stmt::Drain { at: var, .. } => {
                found.push(*var);
            }
            Stmt::Walk { iter, .. } => iterator(iter, found),
            Stmt::Merge { var, iters, .. } => {
                found.push(*var);
                iters.iter().for_each(|iter| iterator(iter, found));
            }
            Stmt::Find { place, end, .. } => {
                found.push(*place);
                found.extend(*end);
            }
            _ => {}
        }
        super::emit::each_block(stmt, &mut |inner| bound(inner, found));
    }
}

fn iterator(iter: &LevelIter, found: &mut Vec<Var>) {
    found.extend([iter.place, iter.coordinate]);
    found.extend(iter.end);
}
