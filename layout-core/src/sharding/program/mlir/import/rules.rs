//! The sharding rules of StableHLO's operations, from the types and the attributes in the text.

use super::read::parsed;
use super::tree::{Module, Number, Operation, Piece, Syntax};
use super::{Failure, attribute};
use crate::sharding::ops::{self, Convolution, DotDims, Gather, Mode, Scatter};
use crate::sharding::propagation::OpKind;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The properties of an operation that rules need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Made {
    /// A constant.
    Constant,
    /// A slice of this value.
    Slice(Number),
    #[default]
    Other,
}

/// Custom calls whose tensors share the dimensions of the first result.
const POINTWISE_CALLS: &[&str] = &[
    "CompactWyHelper",
    "InspectSharding",
    "InvertDiagBlocksLowerTriangular",
    "InvertDiagBlocksUpperTriangular",
    "X64Combine",
    "X64SplitHigh",
    "X64SplitLow",
    "_SPMDInternalOp_MultiRotate",
    "_SPMDInternalOp_RotateRight",
    "xla.megascale.provide_metadata",
    "MoveToDevice",
    "MoveToHost",
    "LayoutConstraint",
    "annotate_device_placement",
    "Cholesky",
    "mhlo.erf",
];

/// Collectives whose tensors share their dimensions. Other collectives resize a dimension.
const POINTWISE_COLLECTIVES: &[&str] =
    &["all_reduce", "collective_broadcast", "collective_permute", "cross-replica-sum"];

/// Whether the tensors of an operation of StableHLO share their dimensions. `bitcast_convert` adds a dimension, or removes one, if
/// the elements have another size.
fn is_pointwise(name: &str) -> bool {
    let is_elementwise = name != "bitcast_convert" && ops::kind(name) == OpKind::Elementwise;
    is_elementwise || POINTWISE_COLLECTIVES.contains(&name)
}

/// Whether an operation computes each element separately and has no other effect, so that copies of it are equivalent.
pub(super) fn is_elementwise(name: &str) -> bool {
    name.strip_prefix("stablehlo.").is_some_and(|name| ops::kind(name) == OpKind::Elementwise)
}

/// Whether an unused operation can be removed before propagation. A constraint cannot, because its operand is affected by it.
pub(super) fn is_pure(syntax: &Syntax<'_>) -> bool {
    match syntax.name.split_once('.') {
        Some(("stablehlo", "custom_call")) => !syntax.is_true("has_side_effect"),
        // The only collective that MLIR takes for pure.
        Some(("stablehlo", "cross-replica-sum")) => true,
        Some(("stablehlo", name)) => {
            ops::row(name).is_none_or(|operation| operation.effect.is_pure())
        }
        Some(("chlo", _)) => true,
        Some(("sdy", name)) => {
            matches!(name, "constant" | "reshard" | "all_reduce" | "propagation_barrier")
        }
        _ => false,
    }
}

/// Whether an operation returns its operand with the sharding that it names. Shardy's collectives are among them: they name what
/// devices exchange, and the complete value stays the same. StableHLO's collectives have the same names, but their operands are
/// the arrays of single devices.
pub(super) fn is_resharding(name: &str) -> bool {
    name == "sdy.reshard" || is_collective(name)
}

/// Whether an operation is one of Shardy's collectives.
pub(super) fn is_collective(name: &str) -> bool {
    matches!(
        name,
        "sdy.all_gather"
            | "sdy.all_reduce"
            | "sdy.all_slice"
            | "sdy.all_to_all"
            | "sdy.collective_permute"
            | "sdy.reduce_scatter"
    )
}

/// The properties of the program around an operation that rules need.
pub(super) struct Known<'a> {
    /// The relevant properties of values, by number.
    pub(super) made: &'a [Made],
    /// The states of random number generators, which every device needs completely.
    pub(super) seeds: &'a BTreeSet<Number>,
    pub(super) mode: Mode,
}

/// The kind of an operation, and its rule if it has one.
pub(super) struct Ruled {
    pub(super) kind: OpKind,
    pub(super) rule: Option<OpShardingRule>,
    /// Whether the rule is written in the text, and not the rule of the operation. A custom call has no other rule that would say
    /// what it computes.
    pub(super) is_written: bool,
}

impl Ruled {
    /// An operation of another dialect, or whose rule does not depend on its name.
    const fn other(rule: Option<OpShardingRule>, is_written: bool) -> Self {
        Self { kind: OpKind::Other, rule, is_written }
    }
}

/// The kind of an operation, and its rule.
pub(super) fn rule(
    module: &Module<'_>,
    operation: &Operation,
    known: &Known<'_>,
) -> Result<Ruled, Failure> {
    let syntax = module.syntax(operation);
    // It takes the place of the operation's own rule, but the operation must fit its operands, and has the kind that it has.
    let written = custom_rule(syntax)?;
    let sizes = |values: &[Number]| -> Option<Vec<Vec<usize>>> {
        values.iter().map(|value| module.dims(*value).map(<[usize]>::to_vec)).collect()
    };
    let is_written = written.is_some() && syntax.name != "stablehlo.custom_call";
    let Some(name) = syntax.name.strip_prefix("stablehlo.") else {
        return Ok(Ruled::other(written, is_written));
    };
    let (Some(operands), Some(results)) = (sizes(&operation.operands), sizes(&operation.results))
    else {
        return Ok(Ruled::other(written, is_written));
    };
    if operands.is_empty() || results.is_empty() {
        return Ok(Ruled::other(written, is_written));
    }
    if name == "custom_call"
        && written.is_none()
        && syntax.target() == "X64Combine"
        && operation.results.iter().any(|result| known.seeds.contains(result))
    {
        let mut rule = RuleBuilder::new(&ranks(&operands), &ranks(&results));
        for (dim, &size) in results[0].iter().enumerate() {
            rule.shared(dim, size, FactorKind::NeedReplication, true);
        }
        return Ok(Ruled::other(Some(rule.build()), false));
    }
    let Known { made, mode, .. } = *known;
    let call = Call { name, syntax, operation, made, mode, operands, results };
    let kind = match name {
        // These count as copies.
        "custom_call" if matches!(syntax.target(), "MoveToDevice" | "MoveToHost") => {
            OpKind::Reshape
        }
        _ => ops::kind_of_call(name, call.operands[0].len(), call.results[0].len()),
    };
    if !call.is_sound() {
        return Err(Failure::new(syntax.at, "its attributes do not fit its operands"));
    }
    let own = call.rule(module);
    let is_written = is_written && written != own;
    Ok(Ruled { kind, rule: written.or(own), is_written })
}

/// The rule that is written in the attributes of an operation.
fn custom_rule(syntax: &Syntax<'_>) -> Result<Option<OpShardingRule>, Failure> {
    let texts = syntax.pieces.iter().filter_map(|piece| match piece {
        Piece::Attributes(text, _) => super::read::entry(text, "sdy.sharding_rule"),
        _ => None,
    });
    texts.map(|text| parsed(text, syntax.at, syntax.name)).next().transpose()
}

/// A call of an operation of StableHLO on tensors of known size.
pub(super) struct Call<'a, 't> {
    name: &'a str,
    syntax: &'a Syntax<'t>,
    operation: &'a Operation,
    made: &'a [Made],
    mode: Mode,
    operands: Vec<Vec<usize>>,
    results: Vec<Vec<usize>>,
}

fn ranks(tensors: &[Vec<usize>]) -> Vec<usize> {
    tensors.iter().map(Vec::len).collect()
}

impl<'a, 't> Call<'a, 't> {
    /// A call with attributes only, without tensors.
    pub(super) const fn new(
        name: &'a str,
        syntax: &'a Syntax<'t>,
        operation: &'a Operation,
    ) -> Self {
        let mode = Mode::Normal;
        Self { name, syntax, operation, made: &[], mode, operands: Vec::new(), results: Vec::new() }
    }

    /// Whether the dimensions in the attributes exist, and sizes agree if a rule relies on it.
    fn is_sound(&self) -> bool {
        let (operands, results) = (&self.operands, &self.results);
        let rank = |tensors: &[Vec<usize>], at: usize| tensors.get(at).map(Vec::len);
        let below = |dims: &[usize], rank: Option<usize>| {
            rank.is_some_and(|rank| dims.iter().all(|dim| *dim < rank))
        };
        let distinct = |lists: &[&[usize]]| {
            let dims = lists.concat();
            dims.iter().enumerate().all(|(at, dim)| !dims[..at].contains(dim))
        };
        let same_rank =
            |tensors: &[Vec<usize>], rank: usize| tensors.iter().all(|tensor| tensor.len() == rank);
        let Some(first) = rank(operands, 0) else { return true };
        let Some(result) = rank(results, 0) else { return true };
        match self.name {
            "transpose" => {
                let order = self.syntax.list(&["dims", "permutation"]);
                order.len() == first && result == first && below(&order, Some(first))
            }
            "broadcast_in_dim" => {
                let dims = self.syntax.list(&["broadcast_dimensions", "dims"]);
                dims.len() == first && below(&dims, Some(result))
            }
            "dot_general" => {
                let dims = self.dot_dims();
                operands.len() == 2
                    && dims.lhs_batch.len() == dims.rhs_batch.len()
                    && dims.lhs_contracting.len() == dims.rhs_contracting.len()
                    && below(&dims.lhs_batch, Some(first))
                    && below(&dims.lhs_contracting, Some(first))
                    && below(&dims.rhs_batch, rank(operands, 1))
                    && below(&dims.rhs_contracting, rank(operands, 1))
                    && result == dims.result(&operands[0], &operands[1]).len()
            }
            "dot" => operands.len() == 2 && operands.iter().all(|x| (1..=2).contains(&x.len())),
            "concatenate" => same_rank(operands, result) && self.along() < result.max(1),
            "slice" | "pad" | "dynamic_slice" | "reduce_window" | "select_and_scatter" => {
                result == first
            }
            "dynamic_update_slice" => result == first && rank(operands, 1) == Some(first),
            "sort" => {
                let dims: &[usize] = &operands[0];
                operands.iter().chain(results).all(|tensor| tensor == dims)
                    && sorted(self.syntax, first) < first.max(1)
            }
            "reduce" => {
                let dims = self.syntax.list(&["dimensions"]);
                operands.len() == 2 * results.len()
                    && below(&dims, Some(first))
                    && same_rank(&operands[..results.len()], first)
                    && same_rank(&operands[results.len()..], 0)
                    && same_rank(results, first - dims.len().min(first))
            }
            "reverse" => below(&self.syntax.list(&["dims", "dimensions"]), Some(first)),
            "cholesky" => first >= 2 && result == first,
            "triangular_solve" => {
                operands.len() == 2 && first >= 2 && rank(operands, 1) == Some(first)
            }
            "convolution" => self.convolution_dims().is_some(),
            "gather" => self.gather_dims().is_some_and(|dims| {
                operands.len() == 2
                    && below(&dims.offset, Some(result))
                    && distinct(&[&dims.offset])
                    && distinct(&[&dims.collapsed, &dims.operand_batch])
                    && distinct(&[&dims.indices_batch])
                    && below(&dims.collapsed, Some(first))
                    && below(&dims.operand_batch, Some(first))
                    && below(&dims.indices_batch, rank(operands, 1))
                    && dims.operand_batch.len() == dims.indices_batch.len()
                    && first == dims.offset.len() + dims.collapsed.len() + dims.operand_batch.len()
                    && self.fits_indices(
                        dims.index_vector,
                        &operands[1],
                        result.checked_sub(dims.offset.len()),
                    )
            }),
            "scatter" => self.scatter_dims().is_some_and(|dims| {
                let count = results.len();
                operands.len() == 2 * count + 1
                    && same_rank(&operands[..count], first)
                    && same_rank(results, first)
                    && operands[count + 2..].iter().all(|x| x.len() == operands[count + 1].len())
                    && below(&dims.window, rank(operands, count + 1))
                    && distinct(&[&dims.window])
                    && distinct(&[&dims.inserted, &dims.operand_batch])
                    && distinct(&[&dims.indices_batch])
                    && below(&dims.inserted, Some(first))
                    && below(&dims.operand_batch, Some(first))
                    && below(&dims.indices_batch, rank(operands, count))
                    && dims.operand_batch.len() == dims.indices_batch.len()
                    && first == dims.window.len() + dims.inserted.len() + dims.operand_batch.len()
                    && self.fits_indices(
                        dims.index_vector,
                        &operands[count],
                        operands[count + 1].len().checked_sub(dims.window.len()),
                    )
            }),
            "batch_norm_inference" => {
                operands.len() == 5 && result == first && self.feature() < first
            }
            "bitcast_convert" => {
                let (short, long) = match first < result {
                    true => (&operands[0], &results[0]),
                    false => (&results[0], &operands[0]),
                };
                long.len() - short.len() <= 1 && long[..short.len()] == short[..]
            }
            "fft" => result == first && self.syntax.list(&["length", "fft_length"]).len() <= first,
            "rng_bit_generator" => results.len() == 2 && result == first,
            "all_gather" | "reduce_scatter" | "all_to_all" => {
                ranks(operands) == ranks(results) && operands.len() == 1
            }
            name if is_pointwise(name) => {
                results.iter().chain(operands).all(|x| x.len() == result || x.is_empty())
            }
            _ => true,
        }
    }

    /// Whether `indices` have `batch` dimensions in addition to the dimension of the index vector.
    fn fits_indices(&self, vector: usize, indices: &[usize], batch: Option<usize>) -> bool {
        vector <= indices.len()
            && batch == Some(indices.len() - usize::from(vector < indices.len()))
    }

    fn along(&self) -> usize {
        self.syntax.number(&["dimension", "dim"]).unwrap_or(0)
    }

    fn feature(&self) -> usize {
        self.syntax.number(&["feature_index"]).unwrap_or(0)
    }

    fn rule(&self, module: &Module<'_>) -> Option<OpShardingRule> {
        let (operands, results) = (&self.operands, &self.results);
        let dims = |at: usize| -> &[usize] { operands.get(at).map_or(&[], |dims| dims) };
        let result: &[usize] = results.first().map_or(&[], |dims| dims);
        let mode = self.mode;
        Some(match self.name {
            name if is_pointwise(name) => pointwise(operands, results, result),
            "reshape" => return ops::reshape(dims(0), result),
            "transpose" => ops::transpose(dims(0), &self.syntax.list(&["dims", "permutation"])),
            "broadcast_in_dim" => {
                let to = self.syntax.list(&["broadcast_dimensions", "dims"]);
                ops::broadcast_in_dim(dims(0), result, &to)
            }
            "dot_general" => ops::dot_general(dims(0), dims(1), &self.dot_dims()),
            "dot" => ops::dot(dims(0), dims(1)),
            "slice" => ops::slice(dims(0), result, mode),
            "pad" => ops::pad(dims(0), result, mode),
            "concatenate" => {
                ops::concatenate(operands.len(), result, self.along(), self.is_halo(), mode)
            }
            "dynamic_slice" => ops::dynamic_slice(dims(0), result),
            "dynamic_update_slice" => {
                let mut indices = self.operation.operands.iter().skip(2);
                let constant = indices.all(|index| self.made[*index] == Made::Constant);
                ops::dynamic_update_slice(dims(0), dims(1), constant)
            }
            "sort" => ops::sort(operands.len(), dims(0), sorted(self.syntax, dims(0).len())),
            "reduce" => ops::reduce(results.len(), dims(0), &self.syntax.list(&["dimensions"])),
            "reverse" => ops::reverse(dims(0), &self.syntax.list(&["dims", "dimensions"])),
            "reduce_window" => {
                ops::reduce_window(results.len(), result, &self.moving(result.len()), mode)
            }
            "select_and_scatter" => {
                ops::select_and_scatter(dims(0), dims(1), &self.moving(result.len()), mode)
            }
            "cholesky" => ops::cholesky(dims(0)),
            "triangular_solve" => {
                let left = self.syntax.is_true("left_side");
                let transpose = self.syntax.value("transpose_a").unwrap_or("");
                let plain = transpose.is_empty() || transpose.contains("NO_TRANSPOSE");
                ops::triangular_solve(dims(0), dims(1), left, !plain)
            }
            "convolution" => {
                ops::convolution(dims(0), dims(1), result, &self.convolution_dims()?, mode)
            }
            "gather" => ops::gather(dims(0), dims(1), result, &self.gather_dims()?),
            "scatter" => {
                let mut dims_of = self.scatter_dims()?;
                dims_of.reduces = self.reduces(module);
                let count = results.len();
                ops::scatter(count, dims(0), dims(count), dims(count + 1), &dims_of)
            }
            "batch_norm_inference" => ops::batch_norm_inference(dims(0), self.feature()),
            "bitcast_convert" => ops::bitcast_convert(dims(0), result),
            "fft" => ops::fft(dims(0), result, self.syntax.list(&["length", "fft_length"]).len()),
            "rng_bit_generator" => ops::rng_bit_generator(dims(0), &results[1]),
            "all_gather" | "reduce_scatter" => {
                let keys = ["all_gather_dim", "scatter_dimension"];
                let dim = self.syntax.number(&keys).filter(|dim| *dim < result.len())?;
                ops::collective_dim(dims(0), result, dim)
            }
            "all_to_all" => {
                let dim = |key| self.syntax.number(&[key]).filter(|dim| *dim < result.len());
                ops::all_to_all(dims(0), result, dim("split_dimension")?, dim("concat_dimension")?)
            }
            "custom_call" => return self.custom_call(),
            _ => return None,
        })
    }

    pub(super) fn dot_dims(&self) -> DotDims {
        let pair = |pretty: &str, generic: [&str; 2]| -> [Vec<usize>; 2] {
            match self.syntax.value(pretty) {
                Some(text) => {
                    let (left, right) = text.split_once(']').unwrap_or((text, ""));
                    let right = right.trim_start().trim_start_matches('x').trim_start();
                    [attribute::numbers(&alloc::format!("{left}]")), attribute::numbers(right)]
                }
                None => generic.map(|key| self.syntax.list(&[key])),
            }
        };
        let [lhs_batch, rhs_batch] =
            pair("batching_dims", ["lhs_batching_dimensions", "rhs_batching_dimensions"]);
        let [lhs_contracting, rhs_contracting] =
            pair("contracting_dims", ["lhs_contracting_dimensions", "rhs_contracting_dimensions"]);
        DotDims { lhs_batch, rhs_batch, lhs_contracting, rhs_contracting }
    }

    /// Whether devices need only the edges of one another's parts of the joined tensors, because all of these tensors are slices,
    /// or parts of one tensor.
    fn is_halo(&self) -> bool {
        let values = &self.operation.operands;
        let slices =
            values.iter().filter(|value| matches!(self.made[**value], Made::Slice(_))).count();
        let source = |value: &Number| match self.made[*value] {
            Made::Slice(of) => of,
            _ => *value,
        };
        let one = values.iter().map(source).all(|of| Some(of) == values.first().map(source));
        slices == values.len() || (slices > 0 && one)
    }

    /// The dimensions along which the windows are not the elements.
    fn moving(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|dim| self.moves(*dim)).collect()
    }

    /// Whether a window is larger than one element, moves by more than one, or is padded along dimension `dim`.
    fn moves(&self, dim: usize) -> bool {
        let at = |keys: &[&str]| self.syntax.list(keys).get(dim).copied().unwrap_or(1);
        let padding = self.syntax.any(&["padding"]).map(attribute::signed).unwrap_or_default();
        let padded = match padding.len() {
            1 => padding[0] != 0,
            _ => padding.iter().skip(2 * dim).take(2).any(|side| *side != 0),
        };
        at(&["window_dimensions"]) != 1 || at(&["window_strides"]) != 1 || padded
    }

    /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
    fn convolution_dims(&self) -> Option<Convolution> {
        let rank = self.operands.first()?.len();
        let fits = self.operands.len() == 2
            && self.operands[1].len() == rank
            && self.results.first()?.len() == rank;
        self.convolution_dims_of(rank).filter(|_| fits)
    }

    /// [`Call::convolution_dims`] for tensors of this rank.
    pub(super) fn convolution_dims_of(&self, rank: usize) -> Option<Convolution> {
        let text = self.syntax.any(&["dim_numbers", "dimension_numbers"])?;
        let text = text.strip_prefix("#stablehlo.conv<").unwrap_or(text);
        let mut lists = text.split('[').skip(1).map(|list| -> Vec<_> {
            let list = list.split(']').next().unwrap_or("");
            list.split(',').map(str::trim).collect()
        });
        let (input, kernel, output) = (lists.next()?, lists.next()?, lists.next()?);
        if [&input, &kernel, &output].iter().any(|list| list.len() != rank) {
            return None;
        }
        let find = |list: &[&str], name: &str| list.iter().position(|other| *other == name);
        let spatial = |list: &[&str]| -> Option<Vec<usize>> {
            let dims = (0..rank.checked_sub(2)?).map(|dim| find(list, &alloc::format!("{dim}")));
            dims.collect()
        };
        let groups = |key| self.syntax.number(&[key]).unwrap_or(1).max(1);
        Some(Convolution {
            input_batch: find(&input, "b")?,
            input_feature: find(&input, "f")?,
            input_spatial: spatial(&input)?,
            kernel_input: find(&kernel, "i")?,
            kernel_output: find(&kernel, "o")?,
            kernel_spatial: spatial(&kernel)?,
            output_batch: find(&output, "b")?,
            output_feature: find(&output, "f")?,
            output_spatial: spatial(&output)?,
            batch_groups: groups("batch_group_count"),
            feature_groups: groups("feature_group_count"),
        })
    }

    pub(super) fn gather_dims(&self) -> Option<Gather> {
        Some(Gather {
            offset: self.syntax.list(&["offset_dims"]),
            collapsed: self.syntax.list(&["collapsed_slice_dims"]),
            operand_batch: self.syntax.list(&["operand_batching_dims"]),
            indices_batch: self.syntax.list(&["start_indices_batching_dims"]),
            index_vector: self.syntax.number(&["index_vector_dim"]).unwrap_or(0),
        })
    }

    pub(super) fn scatter_dims(&self) -> Option<Scatter> {
        Some(Scatter {
            window: self.syntax.list(&["update_window_dims"]),
            inserted: self.syntax.list(&["inserted_window_dims"]),
            operand_batch: self.syntax.list(&["input_batching_dims"]),
            indices_batch: self.syntax.list(&["scatter_indices_batching_dims"]),
            index_vector: self.syntax.number(&["index_vector_dim"]).unwrap_or(0),
            reduces: false,
        })
    }

    /// Whether the body combines two values by an operation that can be applied in any order.
    fn reduces(&self, module: &Module<'_>) -> bool {
        let Some(body) = self.operation.regions.first() else { return false };
        let [operation, last] = &body.operations[..] else { return false };
        let name = module.name(operation).strip_prefix("stablehlo.");
        let mut taken = operation.operands.clone();
        taken.sort_unstable();
        name.and_then(ops::row).is_some_and(|operation| operation.combines)
            && taken == body.arguments
            && last.operands == operation.results
    }

    fn custom_call(&self) -> Option<OpShardingRule> {
        let (operands, results) = (&self.operands, &self.results);
        let (first, result) = (operands.first()?, results.first()?);
        let same_rank = |tensors: &[Vec<usize>]| {
            tensors.iter().all(|tensor| tensor.len() == first.len() || tensor.is_empty())
        };
        match self.syntax.target() {
            target if POINTWISE_CALLS.contains(&target) => {
                Some(pointwise(operands, results, result))
            }
            "mhlo.topk" if same_rank(operands) && same_rank(results) => {
                let mut rule = RuleBuilder::new(&ranks(operands), &ranks(results));
                for (dim, (&size, &kept)) in first.iter().zip(result).enumerate() {
                    match size == kept {
                        true => rule.shared(dim, size, FactorKind::PassThrough, false),
                        false => rule.shared(dim, size, FactorKind::NeedReplication, true),
                    }
                }
                Some(rule.build())
            }
            "ApproxTopK" | "PartialReduce" if same_rank(operands) && same_rank(results) => {
                let mut rule = RuleBuilder::new(&ranks(operands), &ranks(results));
                let of = |tensors: &[Vec<usize>], dim| -> Vec<(usize, usize)> {
                    let tensors = tensors.iter().enumerate().filter(|(_, dims)| !dims.is_empty());
                    tensors.map(|(at, _)| (at, dim)).collect()
                };
                for (dim, (&size, &kept)) in first.iter().zip(result).enumerate() {
                    let (taken, made) = (of(operands, dim), of(results, dim));
                    if size == kept {
                        rule.of(&taken, &made, size, FactorKind::PassThrough, false);
                    } else {
                        rule.of(&taken, &[], size, FactorKind::PassThrough, false);
                        rule.of(&[], &made, kept, FactorKind::NeedReplication, true);
                    }
                }
                Some(rule.build())
            }
            "Eigh" if first.len() >= 2 && ranks(results) == [first.len(), first.len() - 1] => {
                Some(ops::eigh(first))
            }
            "Qr" | "QrDecompositionBlock"
                if first.len() >= 2 && ranks(results) == [first.len(), first.len() - 1] =>
            {
                Some(ops::qr(first, results[1][first.len() - 2]))
            }
            "ProductOfElementaryHouseholderReflectors"
                if first.len() >= 2 && ranks(operands) == [first.len(), first.len() - 1] =>
            {
                Some(ops::householder_product(first, operands[1][first.len() - 2]))
            }
            _ => None,
        }
    }
}

/// The dimension along which tensors of this rank are sorted.
pub(super) fn sorted(syntax: &Syntax<'_>, rank: usize) -> usize {
    syntax.dimension(&["dimension"], rank).unwrap_or(rank.saturating_sub(1))
}

/// Tensors that share the leading dimensions of a tensor of this size.
fn pointwise(operands: &[Vec<usize>], results: &[Vec<usize>], dims: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&ranks(operands), &ranks(results));
    let has = |tensors: &[Vec<usize>], dim: usize| -> Vec<_> {
        tensors.iter().map(|tensor| (dim < tensor.len()).then_some(dim)).collect()
    };
    for (dim, &size) in dims.iter().enumerate() {
        let (taken, made) = (has(operands, dim), has(results, dim));
        rule.factor(&taken, &made, size, FactorKind::PassThrough);
    }
    rule.build()
}

/// The properties of an operation that the rules of its users need.
pub(super) fn made(module: &Module<'_>, operation: &Operation) -> Made {
    match module.name(operation) {
        "stablehlo.constant" | "sdy.constant" => Made::Constant,
        "stablehlo.slice" => operation.operands.first().map_or(Made::Other, |of| Made::Slice(*of)),
        _ => Made::Other,
    }
}
