//! The sizes of the indices. The size of an index is the size of the dimensions of the parameters that have its name. If no
//! dimension has its name, the size is the largest for which every subscript with the index stays within bounds, for all values of
//! the other indices.

use super::ir::{Index, IndexId, Int, SizeCheck};
use super::problem::{Problem, Subject};
use super::statement::{AccessId, Statement, Subscript};
use alloc::format;
use alloc::vec::Vec;

/// The sizes of the indices, and their origins.
pub(super) struct Sizes {
    /// The indices.
    pub(super) indices: Vec<Index>,
    pub(super) checks: Vec<SizeCheck>,
    pub(super) output_shape: Vec<Int>,
    /// For each access and each of its dimensions, whether the subscript may be out of bounds.
    pub(super) guarded: Vec<Vec<bool>>,
}

impl Sizes {
    pub(super) fn new(statement: &Statement) -> Result<Self, Problem> {
        let inputs = statement.output();
        let count = statement.indices.len();
        let mut known: Vec<Option<Int>> = alloc::vec![None; count];
        let mut checks = Vec::new();
        for (index, size) in statement.sizes.iter().enumerate() {
            known[index] = size.map(|size| Int::Const(size as i64));
        }
        for (operand, spec) in statement.operands[..inputs].iter().enumerate() {
            for (dim, index) in spec.dims.iter().enumerate() {
                let Some(index) = *index else { continue };
                match &known[index] {
                    None => known[index] = Some(Int::DimSize(operand, dim)),
                    Some(_) => checks.push(SizeCheck { index, operand, dim }),
                }
            }
        }
        for (subscript, size) in statement.target.iter().zip(&statement.target_sizes) {
            if let (Some(index), Some(size)) = (subscript.plain(), size) {
                known[index] = Some(size.clone());
            }
        }
        let mut guarded: Vec<Vec<bool>> = Vec::new();
        for access in &statement.accesses {
            let guard = |subscript: &Subscript| subscript.plain().is_none();
            guarded.push(access.subscripts.iter().map(guard).collect());
        }
        // The size of an index can be computed from a subscript.
        while let Some((access, dim, index, size)) = inferred(statement, &known) {
            known[index] = Some(size);
            let subscript = &statement.accesses[access].subscripts[dim];
            if subscript.constant >= 0 && subscript.terms.iter().all(|(c, _)| *c > 0) {
                guarded[access][dim] = false;
            }
        }
        if let Some(index) = known.iter().position(Option::is_none) {
            let name = &statement.indices[index];
            return Err(Problem {
                subject: Subject::Index(index),
                message: format!("the size of index `{name}` does not follow from the operands"),
                help: format!("give it: `; size({name}, 4)`"),
            });
        }
        check_subscripts(statement, &known, &mut checks, &mut guarded);
        check_index_arrays(statement, &guarded)?;
        let indices = (statement.indices.iter().zip(known))
            .map(|(name, size)| Index { name: name.clone(), size: size.unwrap_or(Int::Const(0)) })
            .collect();
        let output_shape = output_shape(statement)?;
        Ok(Self { indices, checks, output_shape, guarded })
    }
}

/// An index that subscripts a dimension of another name must have the size of that dimension, unless the size of the index is
/// given.
fn check_subscripts(
    statement: &Statement,
    known: &[Option<Int>],
    checks: &mut Vec<SizeCheck>,
    guarded: &mut [Vec<bool>],
) {
    for (number, access) in statement.accesses.iter().enumerate() {
        let dims = &statement.operands[access.operand].dims;
        for (dim, subscript) in access.subscripts.iter().enumerate() {
            let Some(index) = subscript.plain() else { continue };
            let check = SizeCheck { index, operand: access.operand, dim };
            if dims[dim] == Some(index)
                || known[index] == Some(Int::DimSize(access.operand, dim))
                || checks.contains(&check)
            {
                continue;
            }
            match statement.sizes[index] {
                // A given size can be smaller or larger than the size of the dimension.
                Some(_) => guarded[number][dim] = true,
                None => checks.push(check),
            }
        }
    }
}

/// An index array must have an element for each value of its indices.
fn check_index_arrays(statement: &Statement, guarded: &[Vec<bool>]) -> Result<(), Problem> {
    let outgrown = |access: &AccessId| guarded[*access].contains(&true);
    let Some(access) = statement.gathered.iter().flatten().copied().find(outgrown) else {
        return Ok(());
    };
    let operand = statement.accesses[access].operand;
    Err(Problem {
        subject: Subject::Operand(operand),
        message: format!(
            "the index array `{}` may be shorter than the index that is given a size",
            statement.operands[operand].name
        ),
        help: "leave out `size(..)`: the size follows from the index array".into(),
    })
}

/// An index whose size can be computed from a subscript in which it is the only index of unknown size.
fn inferred(statement: &Statement, known: &[Option<Int>]) -> Option<(usize, usize, IndexId, Int)> {
    for (number, access) in statement.accesses.iter().enumerate() {
        for (dim, subscript) in access.subscripts.iter().enumerate() {
            let mut unknown = subscript.terms.iter().filter(|(_, index)| known[*index].is_none());
            let (Some(&(factor @ 1.., index)), None) = (unknown.next(), unknown.next()) else {
                continue;
            };
            let size = Int::DimSize(access.operand, dim);
            if subscript.plain().is_some() {
                return Some((number, dim, index, size));
            }
            // size = (dimension - 1 - the largest sum of the other terms) / factor + 1. In `a[2 * i + k]` with `a` of size 9 and
            // `k` of size 3, `i` has size (9 - 1 - 2) / 2 + 1 = 4.
            let mut rest = size.minus(Int::Const(subscript.constant.saturating_add(1)));
            for (coefficient, other) in &subscript.terms {
                if *other != index && *coefficient > 0 {
                    let most = known[*other].clone()?.minus(Int::Const(1));
                    rest = rest.minus(most.times(Int::Const(*coefficient)));
                }
            }
            let size = rest.over(factor).plus(Int::Const(1));
            return Some((number, dim, index, size.or_zero()));
        }
    }
    None
}

fn output_shape(statement: &Statement) -> Result<Vec<Int>, Problem> {
    let size = |subscript: &Subscript| {
        if let Some(index) = subscript.plain() {
            return Ok(Int::Size(index));
        }
        if subscript.constant < 0 || subscript.terms.iter().any(|(factor, _)| *factor < 0) {
            return Err(Problem {
                subject: Subject::Statement,
                message: "a subscript of the output could be below zero".into(),
                help:
                    "write subscripts of the output without minus, and shift those of the operands instead"
                        .into(),
            });
        }
        let mut size = Int::Const(subscript.constant.saturating_add(1));
        for (factor, index) in &subscript.terms {
            size = size.plus(Int::Size(*index).minus(Int::Const(1)).times(Int::Const(*factor)));
        }
        Ok(size.or_zero())
    };
    statement.target.iter().map(size).collect()
}
