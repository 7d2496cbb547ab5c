//! The operations that a program can name.

use super::super::propagation::OpKind;
use super::super::registry::{self, Mode};
use super::super::rule::OpShardingRule;
use crate::dtype::DType;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Operations on each element of one tensor, with the name that StableHLO has for them.
const UNARY: &[(&str, &str)] = &[
    ("abs", "abs"),
    ("cbrt", "cbrt"),
    ("ceil", "ceil"),
    ("cos", "cosine"),
    ("cosine", "cosine"),
    ("exp", "exponential"),
    ("exponential", "exponential"),
    ("expm1", "exponential_minus_one"),
    ("floor", "floor"),
    ("log", "log"),
    ("log1p", "log_plus_one"),
    ("logistic", "logistic"),
    ("neg", "negate"),
    ("negate", "negate"),
    ("not", "not"),
    ("round", "round_nearest_even"),
    ("rsqrt", "rsqrt"),
    ("sign", "sign"),
    ("sin", "sine"),
    ("sine", "sine"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
    ("tanh", "tanh"),
];

/// The same of two tensors.
const BINARY: &[(&str, &str)] = &[
    ("add", "add"),
    ("and", "and"),
    ("atan2", "atan2"),
    ("div", "divide"),
    ("divide", "divide"),
    ("max", "maximum"),
    ("maximum", "maximum"),
    ("min", "minimum"),
    ("minimum", "minimum"),
    ("mul", "multiply"),
    ("multiply", "multiply"),
    ("or", "or"),
    ("pow", "power"),
    ("power", "power"),
    ("rem", "remainder"),
    ("remainder", "remainder"),
    ("sub", "subtract"),
    ("subtract", "subtract"),
    ("xor", "xor"),
];

/// What an operation is told besides its operands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Attributes {
    pub(super) lists: Vec<Vec<usize>>,
    pub(super) number: Option<usize>,
    /// Its name in StableHLO; empty for a custom operation.
    pub(super) stablehlo: &'static str,
}

/// A tensor that an operation is called with.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub(super) dims: &'a [usize],
    pub(super) dtype: DType,
}

/// What an operation gives.
pub(super) struct Made {
    pub(super) kind: OpKind,
    /// `None` if nothing propagates through it.
    pub(super) rule: Option<OpShardingRule>,
    pub(super) dims: Vec<usize>,
    pub(super) dtype: DType,
    pub(super) stablehlo: &'static str,
}

/// What a mistake in a call is about.
pub(super) enum At {
    Call,
    Operand(usize),
    List(usize),
}

type Result<T> = core::result::Result<T, (At, String, String)>;

fn wrong<T>(at: At, message: impl Into<String>) -> Result<T> {
    Err((at, message.into(), String::new()))
}

fn arity(operands: &[Operand<'_>], count: usize) -> Result<()> {
    if operands.len() == count {
        return Ok(());
    }
    let plural = if count == 1 { "" } else { "s" };
    wrong(At::Call, format!("expected {count} operand{plural}, found {}", operands.len()))
}

/// Operands that must have the size of the first, but for the scalars that are allowed.
fn same(operands: &[Operand<'_>], reference: usize, scalars: &[usize]) -> Result<()> {
    let dims = operands[reference].dims;
    for (at, operand) in operands.iter().enumerate() {
        let scalar = scalars.contains(&at) && operand.dims.is_empty();
        if operand.dims != dims && !scalar {
            return wrong(
                At::Operand(at),
                format!("expected an array of size {dims:?}, found {:?}", operand.dims),
            );
        }
    }
    Ok(())
}

fn list<'a>(attributes: &'a Attributes, at: usize, what: &str) -> Result<&'a [usize]> {
    match attributes.lists.get(at) {
        Some(list) => Ok(list),
        None => Err((At::Call, format!("expected {what}, in brackets"), String::new())),
    }
}

/// Dimensions of an array of rank `rank`, none of them twice.
fn dims_of<'a>(
    attributes: &'a Attributes,
    at: usize,
    rank: usize,
    what: &str,
) -> Result<&'a [usize]> {
    let dims = list(attributes, at, what)?;
    for (place, &dim) in dims.iter().enumerate() {
        if dim >= rank {
            return wrong(
                At::List(at),
                format!("dimension {dim} does not exist: the array has rank {rank}"),
            );
        }
        if dims[..place].contains(&dim) {
            return wrong(At::List(at), format!("dimension {dim} is listed twice"));
        }
    }
    Ok(dims)
}

/// The operation `name`.
pub(super) fn make(name: &str, operands: &[Operand<'_>], attributes: &Attributes) -> Result<Made> {
    let found = |table: &[(&str, &'static str)]| {
        table.iter().find(|(own, _)| *own == name).map(|(_, stablehlo)| *stablehlo)
    };
    if let Some(stablehlo) = found(UNARY) {
        arity(operands, 1)?;
        return Ok(elementwise(operands, 0, &[], stablehlo));
    }
    if let Some(stablehlo) = found(BINARY) {
        arity(operands, 2)?;
        same(operands, 0, &[])?;
        return Ok(elementwise(operands, 0, &[], stablehlo));
    }
    match name {
        "select" | "clamp" => {
            arity(operands, 3)?;
            let scalars: &[usize] = if name == "select" { &[0] } else { &[0, 2] };
            same(operands, 1, scalars)?;
            Ok(elementwise(operands, 1, scalars, if name == "select" { "select" } else { "clamp" }))
        }
        "constrain" | "reshard" => {
            arity(operands, 1)?;
            Ok(elementwise(operands, 0, &[], "constrain"))
        }
        "dot" => dot(operands),
        _ => shaped(name, operands, attributes),
    }
}

fn elementwise(
    operands: &[Operand<'_>],
    like: usize,
    scalars: &[usize],
    stablehlo: &'static str,
) -> Made {
    let Operand { dims, dtype } = operands[like];
    let scalars: Vec<_> =
        scalars.iter().copied().filter(|&at| operands[at].dims.is_empty()).collect();
    let rule = registry::elementwise(operands.len(), &scalars, dims);
    Made { kind: OpKind::Elementwise, rule: Some(rule), dims: dims.to_vec(), dtype, stablehlo }
}

fn dot(operands: &[Operand<'_>]) -> Result<Made> {
    arity(operands, 2)?;
    let (lhs, rhs) = (operands[0], operands[1]);
    for (at, operand) in operands.iter().enumerate() {
        if !(1..=2).contains(&operand.dims.len()) {
            let message = format!(
                "`dot` takes vectors and matrices, found an array of rank {}",
                operand.dims.len()
            );
            let help =
                "say what belongs together: `op(x, y) : (b,i,k),(b,k,j)->(b,i,j) reduction={k}`";
            return Err((At::Operand(at), message, help.into()));
        }
    }
    let (left, right) = (lhs.dims[lhs.dims.len() - 1], rhs.dims[0]);
    if left != right {
        return wrong(
            At::Operand(1),
            format!(
                "the last dimension of the left operand has size {left}, the first of this one has size {right}"
            ),
        );
    }
    let mut dims = lhs.dims[..lhs.dims.len() - 1].to_vec();
    dims.extend_from_slice(&rhs.dims[1..]);
    let rule = Some(registry::dot(lhs.dims, rhs.dims));
    Ok(Made { kind: OpKind::Other, rule, dims, dtype: lhs.dtype, stablehlo: "dot_general" })
}

/// Operations that change the shape.
fn shaped(name: &str, operands: &[Operand<'_>], attributes: &Attributes) -> Result<Made> {
    if name == "concatenate" {
        return concatenate(operands, attributes);
    }
    if !matches!(
        name,
        "transpose"
            | "reshape"
            | "broadcast_in_dim"
            | "reduce"
            | "slice"
            | "pad"
            | "reverse"
            | "sort"
            | "cholesky"
    ) {
        let help = "write its rule behind it: `op(x, w) : (i,k),(k,j)->(i,j)`";
        return Err((At::Call, format!("unknown operation `{name}`"), help.into()));
    }
    arity(operands, 1)?;
    let Operand { dims, dtype } = operands[0];
    let rank = dims.len();
    let made = |kind, rule, dims, stablehlo| Ok(Made { kind, rule, dims, dtype, stablehlo });
    match name {
        "transpose" => {
            let order = dims_of(attributes, 0, rank, "the order of the dimensions")?;
            if order.len() != rank {
                return wrong(
                    At::List(0),
                    format!("expected {rank} dimensions, found {}", order.len()),
                );
            }
            let result = order.iter().map(|&dim| dims[dim]).collect();
            made(OpKind::Reshape, Some(registry::transpose(dims, order)), result, "transpose")
        }
        "reshape" => {
            let result = list(attributes, 0, "the size of the result")?;
            let count =
                |dims: &[usize]| dims.iter().fold(1, |n: usize, &size| n.saturating_mul(size));
            if count(dims) != count(result) {
                return wrong(
                    At::List(0),
                    format!(
                        "{dims:?} has {} elements, but {result:?} has {}",
                        count(dims),
                        count(result)
                    ),
                );
            }
            made(OpKind::Reshape, registry::reshape(dims, result), result.to_vec(), "reshape")
        }
        "broadcast_in_dim" => {
            let result = list(attributes, 0, "the size of the result")?;
            let to = dims_of(attributes, 1, result.len(), "the dimension that each one becomes")?;
            let fits = to.len() == rank
                && to.iter().zip(dims).all(|(&to, &size)| size == 1 || size == result[to]);
            if !fits {
                return wrong(
                    At::List(1),
                    format!("{dims:?} cannot become dimensions {to:?} of {result:?}"),
                );
            }
            let rule = registry::broadcast_in_dim(dims, result, to);
            made(OpKind::BroadcastInDim, Some(rule), result.to_vec(), "broadcast_in_dim")
        }
        "reduce" => {
            let over = dims_of(attributes, 0, rank, "the dimensions to reduce over")?;
            let result = (0..rank).filter(|dim| !over.contains(dim)).map(|dim| dims[dim]).collect();
            // The scalar to start from is not written.
            let mut rule = registry::reduce(1, dims, over);
            rule.operands.pop();
            made(OpKind::Other, Some(rule), result, "reduce")
        }
        "slice" | "pad" => {
            let result = list(attributes, 0, "the size of the result")?;
            let fits = result.len() == rank
                && result
                    .iter()
                    .zip(dims)
                    .all(|(new, old)| if name == "slice" { new <= old } else { new >= old });
            if !fits {
                let how = if name == "slice" { "sliced" } else { "padded" };
                return wrong(At::List(0), format!("{dims:?} cannot be {how} to {result:?}"));
            }
            let rule = registry::slice(dims, result, Mode::Normal);
            made(
                OpKind::Other,
                Some(rule),
                result.to_vec(),
                if name == "slice" { "slice" } else { "pad" },
            )
        }
        "reverse" => {
            let over = dims_of(attributes, 0, rank, "the dimensions to reverse")?;
            made(OpKind::Other, Some(registry::reverse(dims, over)), dims.to_vec(), "reverse")
        }
        "sort" => match attributes.number {
            Some(dim) if dim < rank => {
                made(OpKind::Other, Some(registry::sort(1, dims, dim)), dims.to_vec(), "sort")
            }
            _ => wrong(At::Call, "expected the dimension to sort along"),
        },
        _ => match dims {
            [.., rows, columns] if rows == columns => {
                made(OpKind::Other, Some(registry::cholesky(dims)), dims.to_vec(), "cholesky")
            }
            _ => wrong(At::Operand(0), format!("expected square matrices, found {dims:?}")),
        },
    }
}

fn concatenate(operands: &[Operand<'_>], attributes: &Attributes) -> Result<Made> {
    let Some(first) = operands.first() else {
        return wrong(At::Call, "expected operands, found none");
    };
    let Some(along) = attributes.number.filter(|&dim| dim < first.dims.len()) else {
        return wrong(At::Call, "expected the dimension to concatenate along");
    };
    let mut dims = vec![0; 0];
    dims.extend_from_slice(first.dims);
    for (at, operand) in operands.iter().enumerate().skip(1) {
        let same = operand.dims.len() == dims.len()
            && (0..dims.len()).all(|dim| dim == along || operand.dims[dim] == dims[dim]);
        if !same {
            return wrong(
                At::Operand(at),
                format!(
                    "an array of size {:?} cannot be joined to one of size {:?} along dimension {along}",
                    operand.dims, first.dims
                ),
            );
        }
        dims[along] += operand.dims[along];
    }
    let rule = registry::concatenate(operands.len(), &dims, along, false, Mode::Normal);
    Ok(Made {
        kind: OpKind::Other,
        rule: Some(rule),
        dims,
        dtype: first.dtype,
        stablehlo: "concatenate",
    })
}

/// The operation of a rule that the program says: the size of the result is what its factors make.
pub(super) fn custom(rule: OpShardingRule, operands: &[Operand<'_>]) -> Result<Made> {
    let shapes: Vec<_> = operands.iter().map(|operand| operand.dims).collect();
    let [result] = rule.results() else {
        return wrong(
            At::Call,
            format!("an operation has one result here, the rule has {}", rule.results().len()),
        );
    };
    let mapping = result.clone();
    let sized = rule.with_operands(&shapes);
    let sized = sized.map_err(|error| {
        use super::super::problem::Place;
        let problem = &error.problems()[0];
        let at = match problem.place {
            Place::Tensor { result: false, at } | Place::TensorDim { result: false, at, .. } => {
                At::Operand(at)
            }
            _ => At::Call,
        };
        (at, problem.message.to_string(), problem.help.to_string())
    })?;
    let dims = (0..mapping.rank())
        .map(|dim| mapping.dim(dim).filter_map(|factor| sized.factor_size(factor)).product())
        .collect();
    let dtype = operands.first().map_or(DType::F32, |operand| operand.dtype);
    Ok(Made { kind: OpKind::Other, rule: Some(sized), dims, dtype, stablehlo: "" })
}
