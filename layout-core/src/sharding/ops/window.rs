//! Operations that move a window over an array.

use super::Mode;
use super::error::{Result, Subject, wrong};
use super::execution::{Bodies, KernelTypes, OF_WINDOW};
use super::input::Input;
use super::operation::{Infer, Inferred, Operation};
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Permutation};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

const ATTRIBUTES: &[&str] = &["window", "strides", "padding"];

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["reduce_window"],
        call: "reduce_window(x, window=[1,2], strides=[1,2])",
        attributes: ATTRIBUTES,
        infer: Infer::By(infer_reduce_window),
        kernel: KernelTypes::Numbers,
        only_imported: true,
        on_shards: true,
        bodies: Bodies::Reducer,
        shifts: OF_WINDOW,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["select_and_scatter"],
        call: "select_and_scatter(x, source, window=[1,2], strides=[1,2])",
        attributes: ATTRIBUTES,
        infer: Infer::By(infer_select_and_scatter),
        kernel: KernelTypes::Numbers,
        only_imported: true,
        bodies: Bodies::Whole,
        shifts: OF_WINDOW,
        ..Operation::DEFAULT
    },
];

/// How a window moves along each dimension.
pub(super) struct Window<'a> {
    size: Vec<usize>,
    strides: &'a [usize],
    padding: &'a [usize],
}

impl<'a> Window<'a> {
    /// A window of this size, with the `strides` and the `padding` of the call. The padding has a low and a high number for each
    /// dimension.
    pub(super) fn new(input: &Input<'a>, size: Vec<usize>) -> Result<Self> {
        let (strides, padding) = (input.named("strides")?, input.named("padding")?);
        let rank = size.len();
        if !strides.is_empty() && (strides.len() != rank || strides.contains(&0)) {
            let message = format!("expected {rank} strides, none of them 0, found {strides:?}");
            return wrong(Subject::Attribute("strides".to_string()), message);
        }
        if !padding.is_empty() && padding.len() != 2 * rank {
            let message =
                format!("expected low and high padding for {rank} dimensions, found {padding:?}");
            return wrong(Subject::Attribute("padding".to_string()), message);
        }
        Ok(Self { size, strides, padding })
    }

    fn stride(&self, dim: usize) -> usize {
        self.strides.get(dim).copied().unwrap_or(1)
    }

    /// The sum of the padding on both sides.
    fn padding(&self, dim: usize) -> usize {
        self.padding.iter().skip(2 * dim).take(2).fold(0, |sum, &side| sum.saturating_add(side))
    }

    /// The dimensions along which the window is larger than one element, moves by more than one, or is padded.
    fn moving(&self) -> Vec<usize> {
        let moves =
            |dim: &usize| self.size[*dim] != 1 || self.stride(*dim) != 1 || self.padding(*dim) != 0;
        (0..self.size.len()).filter(moves).collect()
    }

    /// The number of positions of the window along dimension `dim`; `None` if it does not fit at all.
    fn count(&self, dim: usize, size: usize) -> Option<usize> {
        let rest = size.checked_add(self.padding(dim))?.checked_sub(self.size[dim])?;
        Some(rest / self.stride(dim) + 1)
    }

    /// The number of positions of the window along each dimension of an array.
    pub(super) fn counts(&self, sizes: &[usize]) -> Result<Vec<usize>> {
        let counts = sizes.iter().enumerate().map(|(dim, &size)| self.count(dim, size));
        match counts.collect() {
            Some(counts) => Ok(counts),
            None => wrong(
                Subject::Call,
                format!("a window of size {:?} does not fit into {sizes:?}", self.size),
            ),
        }
    }
}

/// The window that a call names, of the rank of its first operand.
fn named<'a>(input: &Input<'a>) -> Result<Window<'a>> {
    let (rank, size) = (input.first()?.dims.len(), input.named("window")?);
    if size.len() != rank || size.contains(&0) {
        let message = format!("expected `window`, {rank} sizes that are not 0, found {size:?}");
        return wrong(Subject::Call, message);
    }
    Window::new(input, size.to_vec())
}

/// `reduce_window(x, window=[1, 2], strides=[1, 2])`, also of several arrays at once.
fn infer_reduce_window(input: &Input<'_>) -> Result<Inferred> {
    let window = named(input)?;
    input.same_size(0, &[])?;
    let result = window.counts(input.operands[0].dims)?;
    let count = input.operands.len();
    // The initial scalars are not operands of a program's `reduce_window`.
    let mut rule = reduce_window(count, &result, &window.moving(), Mode::Normal);
    rule.operands.truncate(count);
    let results = input.operands.iter().map(|operand| (result.clone(), operand.dtype)).collect();
    Ok(Inferred::several(rule, results))
}

/// The rule of a reduction of `inputs` tensors over windows, each with an initial scalar. `moving` lists the dimensions along which
/// the window is larger than one element, moves by more than one, or is padded.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, reduce_window};
/// let rule = reduce_window(1, &[8, 4], &[1], Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, j], [])->([i, j]) {i=8, j=4} permutation={j}>");
/// ```
pub fn reduce_window(
    inputs: usize,
    result: &[usize],
    moving: &[usize],
    mode: Mode,
) -> OpShardingRule {
    let mut ranks = vec![result.len(); inputs];
    ranks.resize(2 * inputs, 0);
    let mut rule = RuleBuilder::new(&ranks, &vec![result.len(); inputs]);
    for (dim, &size) in result.iter().enumerate() {
        match moving.contains(&dim) {
            true => rule.shared(dim, size, Permutation, mode.is_conservative()),
            false => rule.shared(dim, size, PassThrough, false),
        }
    }
    rule.build()
}

/// `select_and_scatter(x, source, window=[1, 2], strides=[1, 2])`
fn infer_select_and_scatter(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let window = named(input)?;
    let (x, source) = (input.operands[0], input.operands[1].dims);
    input.all_same_elements()?;
    input.size(1, &window.counts(x.dims)?)?;
    // The initial scalar is not an operand of a program's `select_and_scatter`.
    let mut rule = select_and_scatter(x.dims, source, &window.moving(), Mode::Normal);
    rule.operands.truncate(2);
    Ok(Inferred::one(rule, x.dims.to_vec(), x.dtype))
}

/// The rule of `select_and_scatter`. The operands are a tensor, a source with one element for each window of it, and an initial
/// scalar. `moving` lists the dimensions along which the window is larger than one element, moves by more than one, or is padded.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, select_and_scatter};
/// let rule = select_and_scatter(&[8, 4], &[8, 2], &[1], Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, k], [i, j], [])->([i, k]) {i=8, j=2, k=4} need_replication={j} permutation={k}>");
/// ```
pub fn select_and_scatter(
    dims: &[usize],
    source: &[usize],
    moving: &[usize],
    mode: Mode,
) -> OpShardingRule {
    let rank = dims.len();
    let mut rule = RuleBuilder::new(&[rank, rank, 0], &[rank]);
    let blocked = mode.is_conservative();
    let pairs: Vec<_> = dims.iter().copied().zip(source.iter().copied()).enumerate().collect();
    for (dim, (size, windows)) in pairs {
        if !moving.contains(&dim) {
            rule.shared(dim, size, PassThrough, false);
        } else {
            rule.of(&[(1, dim)], &[], windows, NeedReplication, blocked);
            rule.of(&[(0, dim)], &[(0, dim)], size, Permutation, blocked);
        }
    }
    rule.build()
}
