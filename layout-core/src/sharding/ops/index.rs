//! Operations that read or write at indices that are values.

use super::elements::Elements;
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::{Bodies, KernelTypes};
use super::input::Input;
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::constant::{contains, position};
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Reduction};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["gather"],
        call: "gather(x, i, offset=[1], collapsed=[0], slice_sizes=[1,8], index_vector=1)",
        attributes: &[
            "offset",
            "collapsed",
            "operand_batch",
            "indices_batch",
            "start_index_map",
            "index_vector",
            "slice_sizes",
        ],
        infer: Infer::By(infer_gather),
        sums: PartialSums::Of(&[0]),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["scatter"],
        call: "scatter(x, i, updates, window=[1], inserted=[0], index_vector=1)",
        attributes: &[
            "window",
            "inserted",
            "operand_batch",
            "indices_batch",
            "index_vector",
            "reduces",
        ],
        infer: Infer::By(infer_scatter),
        kernel: KernelTypes::Numbers,
        only_imported: true,
        on_shards: true,
        bodies: Bodies::Reducer,
        ..Operation::DEFAULT
    },
];

/// The sizes of the dimensions of `indices`, except that of the index vector.
fn batches(indices: &[usize], vector: usize) -> Vec<usize> {
    let sizes = indices.iter().enumerate().filter(|(dim, _)| *dim != vector);
    sizes.map(|(_, &size)| size).collect()
}

/// The dimension of the indices that contains an index; their rank if each index is a scalar.
fn index_vector(input: &Input<'_>, indices: &[usize]) -> Result<usize> {
    let vector = input.number("index_vector")?.unwrap_or(indices.len());
    if vector <= indices.len() {
        return Ok(vector);
    }
    let message =
        format!("dimension {vector} does not exist: the indices have rank {}", indices.len());
    let help = "leave it out if each index is one number";
    wrong_with_help(Subject::Attribute("index_vector".to_string()), message, help)
}

/// A list of dimensions with a name, in ascending order.
fn sorted<'a>(input: &Input<'a>, name: &str, rank: usize) -> Result<&'a [usize]> {
    let dims = input.named_dims(name, rank)?;
    match dims.is_sorted() {
        true => Ok(dims),
        false => wrong(
            Subject::Attribute(name.to_string()),
            format!("the dimensions of `{name}` are not in order"),
        ),
    }
}

/// Checks that no dimension is in two lists.
fn apart(first: &[usize], second: &[usize], name: &str) -> Result<()> {
    match second.iter().find(|dim| first.contains(dim)) {
        None => Ok(()),
        Some(dim) => wrong(
            Subject::Attribute(name.to_string()),
            format!("dimension {dim} is listed elsewhere as well"),
        ),
    }
}

/// Checks that the batch dimensions of an array and of the indices have the same sizes.
fn batches_fit(
    x: &[usize],
    indices: &[usize],
    operand_batch: &[usize],
    indices_batch: &[usize],
    vector: usize,
) -> Result<()> {
    if indices_batch.contains(&vector) {
        let message =
            format!("an index lies along dimension {vector}, which is not a batch dimension");
        return wrong(Subject::Attribute("indices_batch".to_string()), message);
    }
    let of = |dims: &[usize], sizes: &[usize]| -> Vec<_> {
        dims.iter().map(|&dim| sizes[dim]).collect()
    };
    let (left, right) = (of(operand_batch, x), of(indices_batch, indices));
    if left == right {
        return Ok(());
    }
    let message = format!("the batch dimensions have sizes {left:?} and {right:?}");
    wrong(Subject::Attribute("indices_batch".to_string()), message)
}

/// `gather(x, indices, offset=[1], collapsed=[0], slice_sizes=[1, 8], index_vector=1)`
fn infer_gather(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let (x, indices) = (input.operands[0].dims, input.operands[1].dims);
    let sizes = input.named("slice_sizes")?;
    if sizes.len() != x.len() || sizes.iter().zip(x).any(|(size, whole)| size > whole) {
        let message = format!("expected `slice_sizes`, the size of a slice of {x:?}");
        return wrong(Subject::Call, message);
    }
    input.elements(1, Elements::INTEGER)?;
    let vector = index_vector(input, indices)?;
    let collapsed = sorted(input, "collapsed", x.len())?;
    let operand_batch = sorted(input, "operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    apart(collapsed, operand_batch, "operand_batch")?;
    batches_fit(x, indices, operand_batch, indices_batch, vector)?;
    let map = input.named_dims("start_index_map", x.len())?;
    apart(operand_batch, map, "start_index_map")?;
    let known = input.attributes.get("start_index_map").is_some();
    let (length, most) =
        (indices.get(vector).map_or(1, |&length| length), x.len() - operand_batch.len());
    if known && map.len() != length || length > most {
        let message = format!(
            "an index has {length} numbers, for {} dimensions",
            if known { map.len() } else { most }
        );
        return wrong(Subject::Operand(1), message);
    }
    for &dim in collapsed.iter().chain(operand_batch) {
        if sizes[dim] > 1 {
            let message = format!(
                "dimension {dim} is not part of the result, but `slice_sizes` has {} for it",
                sizes[dim]
            );
            let help = format!("`slice_sizes` has 1 for dimension {dim}");
            return wrong_with_help(Subject::Attribute("slice_sizes".to_string()), message, help);
        }
    }
    let slices: Vec<_> = (0..x.len())
        .filter(|dim| !collapsed.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| sizes[dim])
        .collect();
    let mut batch = batches(indices, vector).into_iter();
    let rank = batch.len() + slices.len();
    let offset = sorted(input, "offset", rank)?;
    if offset.len() != slices.len() {
        let message = format!(
            "a slice has {} dimensions that the result keeps, `offset` lists {}",
            slices.len(),
            offset.len()
        );
        return wrong(Subject::Attribute("offset".to_string()), message);
    }
    let mut slices = slices.into_iter();
    let result: Vec<_> = (0..rank)
        .map(|dim| if offset.contains(&dim) { slices.next() } else { batch.next() })
        .map(Option::unwrap_or_default)
        .collect();
    let dims = Gather {
        offset: offset.to_vec(),
        collapsed: collapsed.to_vec(),
        operand_batch: operand_batch.to_vec(),
        indices_batch: indices_batch.to_vec(),
        index_vector: vector,
    };
    let rule = gather(x, indices, &result, &dims);
    Ok(Inferred::one(rule, result, input.operands[0].dtype))
}

/// `scatter(x, indices, updates, window=[1], inserted=[0], index_vector=1, reduces=true)`, or several arrays, then the
/// indices, then updates for each array: `scatter(x, y, indices, updates_of_x, updates_of_y, ..)`
fn infer_scatter(input: &Input<'_>) -> Result<Inferred> {
    let count = input.operands.len();
    if count < 3 || count.is_multiple_of(2) {
        let message =
            format!("expected arrays, indices and updates of each array, found {count} operands");
        let help = "write `scatter(x, indices, updates)`, or `scatter(x, y, indices, updates_of_x, updates_of_y)`";
        return wrong_with_help(Subject::Call, message, help);
    }
    let inputs = count / 2;
    let [x, indices, updates] = [0, inputs, inputs + 1].map(|at| input.operands[at].dims);
    input.elements(inputs, Elements::INTEGER)?;
    for at in 0..inputs {
        input.size(at, x)?;
        input.size(inputs + 1 + at, updates)?;
        input.same_elements(at, [inputs + 1 + at])?;
    }
    let vector = index_vector(input, indices)?;
    let window = sorted(input, "window", updates.len())?;
    let inserted = sorted(input, "inserted", x.len())?;
    let operand_batch = sorted(input, "operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    apart(inserted, operand_batch, "operand_batch")?;
    batches_fit(x, indices, operand_batch, indices_batch, vector)?;
    let length = indices.get(vector).map_or(1, |&length| length);
    let most = x.len() - operand_batch.len();
    if length > most {
        let message = format!("an index has {length} numbers, for {most} dimensions");
        return wrong(Subject::Operand(inputs), message);
    }
    let reduces = input.word("reduces", &["true", "false"])? == "true";
    let kept: Vec<_> = (0..x.len())
        .filter(|dim| !inserted.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| x[dim])
        .collect();
    let windows: Vec<_> = window.iter().map(|&dim| updates[dim]).collect();
    let rest: Vec<_> =
        (0..updates.len()).filter(|dim| !window.contains(dim)).map(|dim| updates[dim]).collect();
    let fits = rest == batches(indices, vector)
        && windows.len() == kept.len()
        && windows.iter().zip(&kept).all(|(part, whole)| part <= whole);
    if !fits {
        let message = format!(
            "updates of size {updates:?} do not fit an array of size {x:?} at indices of size {indices:?}"
        );
        return wrong(Subject::Operand(inputs + 1), message);
    }
    let dims = Scatter {
        window: window.to_vec(),
        inserted: inserted.to_vec(),
        operand_batch: operand_batch.to_vec(),
        indices_batch: indices_batch.to_vec(),
        index_vector: vector,
        reduces,
    };
    let rule = scatter(inputs, x, indices, updates, &dims);
    let results = input.operands[..inputs].iter().map(|own| (own.dims.to_vec(), own.dtype));
    Ok(Inferred { rule: Some(rule), results: results.collect() })
}

/// The dimension numbers of a gather, for [`gather`], which has an example.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Gather {
    /// The dimensions of the result that are dimensions of a slice.
    pub offset: Vec<usize>,
    /// The dimensions of the operand that the result does not have, in which slices have size 1.
    pub collapsed: Vec<usize>,
    /// The batch dimensions of the operand.
    pub operand_batch: Vec<usize>,
    /// The dimensions of the indices that correspond to these.
    pub indices_batch: Vec<usize>,
    /// The dimension of the indices that contains an index; their rank if each index is a scalar.
    pub index_vector: usize,
}

/// The dimension numbers of a scatter, for [`scatter`], which has an example.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scatter {
    /// The dimensions of the updates that are dimensions of a window.
    pub window: Vec<usize>,
    /// The dimensions of the operand that the updates do not have, in which windows have size 1.
    pub inserted: Vec<usize>,
    /// The batch dimensions of the operand.
    pub operand_batch: Vec<usize>,
    /// The dimensions of the indices that correspond to these.
    pub indices_batch: Vec<usize>,
    /// The dimension of the indices that contains an index; their rank if each index is a scalar.
    pub index_vector: usize,
    /// Whether updates are combined by a reduction whose order does not matter.
    pub reduces: bool,
}

/// [`Gather`] in the form that const evaluation can use.
#[derive(Clone, Copy)]
pub(in crate::sharding) struct GatherNumbers<'a> {
    pub(in crate::sharding) offset: &'a [usize],
    pub(in crate::sharding) collapsed: &'a [usize],
    pub(in crate::sharding) operand_batch: &'a [usize],
    pub(in crate::sharding) indices_batch: &'a [usize],
    pub(in crate::sharding) index_vector: usize,
}

impl Gather {
    fn numbers(&self) -> GatherNumbers<'_> {
        GatherNumbers {
            offset: &self.offset,
            collapsed: &self.collapsed,
            operand_batch: &self.operand_batch,
            indices_batch: &self.indices_batch,
            index_vector: self.index_vector,
        }
    }
}

/// A dimension of the slices, or a collapsed dimension of the operand.
#[derive(Clone, Copy)]
enum IndexedDim {
    /// A dimension of a slice, and the corresponding dimension of the operand.
    Slice { operand: usize, slice: usize },
    /// A batch dimension of the indices. If it is explicit, it is also a dimension of the operand.
    Batch { operand: Option<usize>, indices: usize, slice: usize },
    /// A dimension of the operand that slices do not have.
    Collapsed { operand: usize },
}

impl GatherNumbers<'_> {
    /// Number `at` of the dimensions of the slices in order, then the collapsed dimensions of the operand.
    const fn part(&self, slices: usize, at: usize) -> Option<IndexedDim> {
        if at >= slices {
            let past = at - slices;
            let exists = past < self.collapsed.len();
            return if exists {
                Some(IndexedDim::Collapsed { operand: self.collapsed[past] })
            } else {
                None
            };
        }
        let (mut operand, mut batch, mut slice) = (0, 0, 0);
        loop {
            if contains(self.offset, slice) {
                while contains(self.collapsed, operand) || contains(self.operand_batch, operand) {
                    operand += 1;
                }
                if slice == at {
                    return Some(IndexedDim::Slice { operand, slice });
                }
                operand += 1;
            } else {
                if slice == at {
                    let indices = if batch < self.index_vector { batch } else { batch + 1 };
                    let operand = match position(self.indices_batch, indices) {
                        Some(at) => Some(self.operand_batch[at]),
                        None => None,
                    };
                    return Some(IndexedDim::Batch { operand, indices, slice });
                }
                batch += 1;
            }
            slice += 1;
        }
    }

    /// Factor `at` of the rule of [`gather`]: two for each dimension, then that of the index vector.
    pub(in crate::sharding) const fn factor(
        &self,
        operand: &[usize],
        indices: &[usize],
        result: &[usize],
        at: usize,
    ) -> Option<RuleFactor> {
        let Some(part) = self.part(result.len(), at / 2) else {
            let is_last = at == 2 * (result.len() + self.collapsed.len());
            if !is_last || self.index_vector >= indices.len() {
                return None;
            }
            let (dim, size) = (self.index_vector, indices[self.index_vector]);
            return Some(RuleFactor::new([None, Some(dim)], None, size, NeedReplication));
        };
        let is_first = at.is_multiple_of(2);
        Some(match part {
            IndexedDim::Slice { operand: dim, slice } => {
                let (whole, cut) = (operand[dim], result[slice]);
                let of = [Some(dim), None];
                if whole != cut && cut == 1 {
                    if is_first {
                        return Some(RuleFactor::new(of, None, whole, Reduction));
                    }
                    return Some(RuleFactor::new([None, None], Some(slice), cut, NeedReplication));
                }
                match (is_first, whole == cut) {
                    (false, _) => RuleFactor::NONE,
                    (true, true) => RuleFactor::new(of, Some(slice), whole, PassThrough),
                    (true, false) => RuleFactor {
                        blocked: true,
                        ..RuleFactor::new(of, Some(slice), whole, NeedReplication)
                    },
                }
            }
            _ if !is_first => RuleFactor::NONE,
            IndexedDim::Batch { operand, indices, slice } => {
                let dims = [operand, Some(indices)];
                RuleFactor::new(dims, Some(slice), result[slice], PassThrough)
            }
            IndexedDim::Collapsed { operand: dim } => {
                let kind = if operand[dim] == 1 { NeedReplication } else { Reduction };
                RuleFactor::new([Some(dim), None], None, operand[dim], kind)
            }
        })
    }
}

/// The rule of a gather: slices of an operand at indices, such as the rows of an embedding.
///
/// ```
/// use tensor_layout::sharding::ops::{Gather, gather};
/// // Rows of a table of 100 rows: the result has a row of 16 numbers for each of 8 indices.
/// let rows = Gather { offset: vec![1], collapsed: vec![0], index_vector: 1, ..Gather::default() };
/// let rule = gather(&[100, 16], &[8], &[8, 16], &rows);
/// assert_eq!(rule.to_string(), "<([k, j], [i])->([i, j]) {i=8, j=16, k=100} reduction={k}>");
/// ```
pub fn gather(
    operand: &[usize],
    indices: &[usize],
    result: &[usize],
    dims: &Gather,
) -> OpShardingRule {
    let operands = [(operand.len(), Some(0)), (indices.len(), Some(1))];
    OpShardingRule::of_factors(&operands, &[result.len()], |at| {
        dims.numbers().factor(operand, indices, result, at)
    })
}

/// The rule of a scatter. Its operands are `inputs` tensors, the indices, and an update for each tensor.
///
/// ```
/// use tensor_layout::sharding::ops::{Scatter, scatter};
/// // Adds 8 rows to rows of a table of 100 rows.
/// let rows = Scatter { window: vec![1], inserted: vec![0], index_vector: 1, reduces: true, ..Scatter::default() };
/// let rule = scatter(1, &[100, 16], &[8], &[8, 16], &rows);
/// assert_eq!(rule.to_string(), "<([k, j], [i], [i, j])->([k, j]) {i=8, j=16, k=100} reduction={i}>");
/// ```
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
    let numbers = slices.numbers();
    for part in (0..).map_while(|at| numbers.part(updates.len(), at)) {
        match part {
            IndexedDim::Slice { operand: dim, slice } if operand[dim] == updates[slice] => {
                add(Some(dim), None, Some(slice), operand[dim], PassThrough);
            }
            IndexedDim::Slice { operand: dim, slice } => {
                add(Some(dim), None, None, operand[dim], NeedReplication);
                add(None, None, Some(slice), updates[slice], NeedReplication);
            }
            IndexedDim::Batch { operand, indices, slice } => {
                let kind = if operand.is_some() { PassThrough } else { combined };
                add(operand, Some(indices), Some(slice), updates[slice], kind);
            }
            IndexedDim::Collapsed { operand: dim } => {
                add(Some(dim), None, None, operand[dim], PassThrough);
            }
        }
    }
    if let Some(&size) = indices.get(dims.index_vector) {
        add(None, Some(dims.index_vector), None, size, NeedReplication);
    }
    rule.build()
}
