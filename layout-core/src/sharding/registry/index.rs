use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Reduction};
use alloc::vec;
use alloc::vec::Vec;

/// Which dimension of its tensors is what to a gather.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Gather {
    /// Dimensions of the result that lie within a slice.
    pub offset: Vec<usize>,
    /// Dimensions of the operand of which a slice has one element, and the result none.
    pub collapsed: Vec<usize>,
    /// Batch dimensions of the operand.
    pub operand_batch: Vec<usize>,
    /// The dimensions of the indices that go with them.
    pub indices_batch: Vec<usize>,
    /// The dimension of the indices that an index lies along; their rank if each is a scalar.
    pub index_vector: usize,
}

/// Which dimension of its tensors is what to a scatter.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scatter {
    /// Dimensions of the updates that lie within a window.
    pub window: Vec<usize>,
    /// Dimensions of the operand of which a window has one element, and the updates none.
    pub inserted: Vec<usize>,
    /// Batch dimensions of the operand.
    pub operand_batch: Vec<usize>,
    /// The dimensions of the indices that go with them.
    pub indices_batch: Vec<usize>,
    /// The dimension of the indices that an index lies along; their rank if each is a scalar.
    pub index_vector: usize,
    /// Whether updates are combined by a reduction of which the order does not matter.
    pub reduces: bool,
}

/// What a dimension of a gather or a scatter is.
enum Part {
    /// A dimension of a slice, and what it is of the operand.
    Slice { operand: usize, slice: usize },
    /// A dimension that runs over indices, and over the operand if it is an explicit batch dimension.
    Batch { operand: Option<usize>, indices: usize, slice: usize },
    /// A dimension of the operand that no slice has.
    Collapsed { operand: usize },
}

/// The dimensions of the slices in order, then those of the operand that are collapsed.
fn parts(slices: usize, dims: &Gather) -> Vec<Part> {
    let (mut operand, mut batch) = (0, 0);
    let mut parts = Vec::new();
    for slice in 0..slices {
        if dims.offset.contains(&slice) {
            while dims.collapsed.contains(&operand) || dims.operand_batch.contains(&operand) {
                operand += 1;
            }
            parts.push(Part::Slice { operand, slice });
            operand += 1;
        } else {
            let indices = if batch < dims.index_vector { batch } else { batch + 1 };
            let explicit = dims.indices_batch.iter().position(|&dim| dim == indices);
            let operand = explicit.map(|at| dims.operand_batch[at]);
            parts.push(Part::Batch { operand, indices, slice });
            batch += 1;
        }
    }
    parts.extend(dims.collapsed.iter().map(|&operand| Part::Collapsed { operand }));
    parts
}

/// Slices of an operand at indices.
pub fn gather(
    operand: &[usize],
    indices: &[usize],
    result: &[usize],
    dims: &Gather,
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[operand.len(), indices.len()], &[result.len()]);
    for part in parts(result.len(), dims) {
        match part {
            Part::Slice { operand: dim, slice } => {
                let (whole, cut) = (operand[dim], result[slice]);
                if whole == cut {
                    rule.factor(&[Some(dim), None], &[Some(slice)], whole, PassThrough);
                } else if cut == 1 {
                    rule.factor(&[Some(dim), None], &[None], whole, Reduction);
                    rule.factor(&[None, None], &[Some(slice)], cut, NeedReplication);
                } else {
                    let operands = [Some(dim), None];
                    rule.blocked_factor(&operands, &[Some(slice)], whole, NeedReplication);
                }
            }
            Part::Batch { operand, indices, slice } => {
                rule.factor(&[operand, Some(indices)], &[Some(slice)], result[slice], PassThrough);
            }
            Part::Collapsed { operand: dim } => {
                let kind = if operand[dim] == 1 { NeedReplication } else { Reduction };
                rule.factor(&[Some(dim), None], &[None], operand[dim], kind);
            }
        }
    }
    if let Some(&size) = indices.get(dims.index_vector) {
        rule.factor(&[None, Some(dims.index_vector)], &[None], size, NeedReplication);
    }
    rule.build()
}

/// `inputs` operands, the indices, and an update for each operand.
pub fn scatter(
    inputs: usize,
    operand: &[usize],
    indices: &[usize],
    updates: &[usize],
    dims: &Scatter,
) -> OpShardingRule {
    let mut ranks = vec![operand.len(); inputs];
    ranks.push(indices.len());
    ranks.resize(2 * inputs + 1, updates.len());
    let mut rule = RuleBuilder::new(&ranks, &vec![operand.len(); inputs]);
    let mut add =
        |input: Option<usize>, index: Option<usize>, update: Option<usize>, size, kind| {
            let mut operands = vec![input; inputs];
            operands.push(index);
            operands.resize(2 * inputs + 1, update);
            rule.factor(&operands, &vec![input; inputs], size, kind);
        };
    let slices = Gather {
        offset: dims.window.clone(),
        collapsed: dims.inserted.clone(),
        operand_batch: dims.operand_batch.clone(),
        indices_batch: dims.indices_batch.clone(),
        index_vector: dims.index_vector,
    };
    let combined = if dims.reduces { Reduction } else { NeedReplication };
    for part in parts(updates.len(), &slices) {
        match part {
            Part::Slice { operand: dim, slice } if operand[dim] == updates[slice] => {
                add(Some(dim), None, Some(slice), operand[dim], PassThrough);
            }
            Part::Slice { operand: dim, slice } => {
                add(Some(dim), None, None, operand[dim], NeedReplication);
                add(None, None, Some(slice), updates[slice], NeedReplication);
            }
            Part::Batch { operand, indices, slice } => {
                let kind = if operand.is_some() { PassThrough } else { combined };
                add(operand, Some(indices), Some(slice), updates[slice], kind);
            }
            Part::Collapsed { operand: dim } => {
                add(Some(dim), None, None, operand[dim], PassThrough);
            }
        }
    }
    if let Some(&size) = indices.get(dims.index_vector) {
        add(None, Some(dims.index_vector), None, size, NeedReplication);
    }
    rule.build()
}
