//! The operations that a program can name.

mod collective;
mod elements;
mod elementwise;
mod index;
mod linear;
mod shape;
mod sums;
mod window;

use super::propagation::OpKind;
use super::rule::OpShardingRule;
use crate::dtype::DType;
use crate::syntax::nearest;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
pub(super) use sums::{Linear, linear};

/// What an operation is told under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    List(Vec<usize>),
    Number(usize),
    Word(String),
}

/// What an operation is told besides its operands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Attributes {
    /// Without a name.
    pub(super) lists: Vec<Vec<usize>>,
    pub(super) number: Option<usize>,
    pub(super) named: Vec<(String, Attribute)>,
    /// An array that it makes, for one without operands.
    pub(super) array: Option<(DType, Vec<usize>)>,
    /// Its name in StableHLO; empty for a custom operation.
    pub(super) stablehlo: &'static str,
}

impl Attributes {
    pub(super) fn get(&self, name: &str) -> Option<&Attribute> {
        self.named.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
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
    /// The size and the element type of each result.
    pub(super) results: Vec<(Vec<usize>, DType)>,
    pub(super) stablehlo: &'static str,
}

impl Made {
    /// An operation with one result.
    fn one(
        kind: OpKind,
        rule: OpShardingRule,
        result: (Vec<usize>, DType),
        stablehlo: &'static str,
    ) -> Self {
        Self { kind, rule: Some(rule), results: vec![result], stablehlo }
    }
}

/// What a mistake in a call is about.
pub(super) enum At {
    Call,
    Operand(usize),
    /// A list without a name.
    List(usize),
    Named(String),
}

type Result<T> = core::result::Result<T, (At, String, String)>;

fn wrong<T>(at: At, message: impl Into<String>) -> Result<T> {
    Err((at, message.into(), String::new()))
}

/// A call of an operation.
struct Input<'a> {
    operands: &'a [Operand<'a>],
    attributes: &'a Attributes,
    /// How many of the lists without a name, and whether the number, the operation has asked for.
    asked: (Cell<usize>, Cell<bool>),
}

impl<'a> Input<'a> {
    fn arity(&self, count: usize) -> Result<()> {
        let found = self.operands.len();
        if found == count {
            return Ok(());
        }
        let plural = if count == 1 { "" } else { "s" };
        wrong(At::Call, format!("expected {count} operand{plural}, found {found}"))
    }

    /// The one operand.
    fn operand(&self) -> Result<Operand<'a>> {
        self.arity(1)?;
        Ok(self.operands[0])
    }

    /// The first of at least one operand.
    fn first(&self) -> Result<Operand<'a>> {
        match self.operands {
            [first, ..] => Ok(*first),
            [] => wrong(At::Call, "expected operands, found none"),
        }
    }

    /// Operands that must have the size of one of them, but for the scalars that are allowed.
    fn same(&self, reference: usize, scalars: &[usize]) -> Result<()> {
        let dims = self.operands[reference].dims;
        for (at, operand) in self.operands.iter().enumerate() {
            let scalar = scalars.contains(&at) && operand.dims.is_empty();
            if operand.dims != dims && !scalar {
                let message =
                    format!("expected an array of size {dims:?}, found {:?}", operand.dims);
                return wrong(At::Operand(at), message);
            }
        }
        Ok(())
    }

    /// Operands from `from` on, which must be scalars.
    fn scalars(&self, from: usize) -> Result<()> {
        match self.operands[from..].iter().position(|operand| !operand.dims.is_empty()) {
            None => Ok(()),
            Some(at) => wrong(
                At::Operand(from + at),
                format!(
                    "expected a scalar, found an array of size {:?}",
                    self.operands[from + at].dims
                ),
            ),
        }
    }

    /// The number behind the operands.
    fn count(&self) -> Option<usize> {
        self.asked.1.set(true);
        self.attributes.number
    }

    /// That the operation was told nothing that it did not ask for.
    fn no_more(&self) -> Result<()> {
        let lists = self.asked.0.get();
        if lists < self.attributes.lists.len() {
            return wrong(At::List(lists), "the operation takes no such list");
        }
        match self.attributes.number {
            Some(number) if !self.asked.1.get() => {
                wrong(At::Call, format!("the operation takes no number, found {number}"))
            }
            _ => Ok(()),
        }
    }

    /// A list without a name.
    fn list(&self, at: usize, what: &str) -> Result<&'a [usize]> {
        self.asked.0.set(self.asked.0.get().max(at + 1));
        match self.attributes.lists.get(at) {
            Some(list) => Ok(list),
            None => wrong(At::Call, format!("expected {what}, in brackets")),
        }
    }

    /// A list under a name; empty if it is left out.
    fn named(&self, name: &str) -> Result<&'a [usize]> {
        match self.attributes.get(name) {
            None => Ok(&[]),
            Some(Attribute::List(list)) => Ok(list),
            Some(_) => {
                wrong(At::Named(name.to_string()), format!("expected a list: `{name}=[0, 1]`"))
            }
        }
    }

    /// A number under a name.
    fn number(&self, name: &str) -> Result<Option<usize>> {
        match self.attributes.get(name) {
            None => Ok(None),
            Some(Attribute::Number(number)) => Ok(Some(*number)),
            Some(_) => wrong(At::Named(name.to_string()), format!("expected a number: `{name}=1`")),
        }
    }

    /// A word under a name, one of those allowed; the first of them if it is left out.
    fn word(&self, name: &str, allowed: &[&'static str]) -> Result<&'static str> {
        let found = match self.attributes.get(name) {
            None => return Ok(allowed[0]),
            Some(Attribute::Word(word)) => allowed.iter().find(|other| *other == word),
            Some(_) => None,
        };
        match found {
            Some(word) => Ok(word),
            None => wrong(
                At::Named(name.to_string()),
                format!("`{name}` is one of {}", allowed.join(", ")),
            ),
        }
    }

    /// Dimensions, each below `rank` and none of them twice.
    fn checked(&self, dims: &'a [usize], rank: usize, at: impl Fn() -> At) -> Result<&'a [usize]> {
        for (place, &dim) in dims.iter().enumerate() {
            if dim >= rank {
                return wrong(
                    at(),
                    format!("dimension {dim} does not exist: the array has rank {rank}"),
                );
            }
            if dims[..place].contains(&dim) {
                return wrong(at(), format!("dimension {dim} is listed twice"));
            }
        }
        Ok(dims)
    }

    /// A list of dimensions without a name.
    fn dims(&self, at: usize, rank: usize, what: &str) -> Result<&'a [usize]> {
        self.checked(self.list(at, what)?, rank, || At::List(at))
    }

    /// A list of dimensions under a name.
    fn named_dims(&self, name: &str, rank: usize) -> Result<&'a [usize]> {
        self.checked(self.named(name)?, rank, || At::Named(name.to_string()))
    }

    /// The dimension that stands behind the operands.
    fn dim(&self, rank: usize, what: &str) -> Result<usize> {
        match self.count() {
            Some(dim) if dim < rank => Ok(dim),
            Some(dim) => wrong(
                At::Call,
                format!("dimension {dim} does not exist: the array has rank {rank}"),
            ),
            None => wrong(At::Call, format!("expected the dimension {what}")),
        }
    }
}

/// An operation that works on more than single elements.
struct Known {
    name: &'static str,
    /// What it is told under a name.
    attributes: &'static [&'static str],
    make: fn(&Input<'_>) -> Result<Made>,
}

const fn known(
    name: &'static str,
    attributes: &'static [&'static str],
    make: fn(&Input<'_>) -> Result<Made>,
) -> Known {
    Known { name, attributes, make }
}

const WINDOW: &[&str] = &["window", "strides", "padding"];

const KNOWN: &[Known] = &[
    known("all_gather", &[], collective::all_gather),
    known("all_to_all", &["split", "concat"], collective::all_to_all),
    known("approx_top_k", &[], linear::approx_top_k),
    known("batch_norm_inference", &[], linear::batch_norm_inference),
    known("bitcast_convert", &["type"], shape::bitcast_convert),
    known("broadcast_in_dim", &[], shape::broadcast_in_dim),
    known("cholesky", &[], linear::cholesky),
    known("compare", &["direction"], elementwise::compare),
    known("concatenate", &[], shape::concatenate),
    known("constant", &[], shape::constant),
    known("convert", &["type"], elementwise::convert),
    known(
        "convolution",
        &[
            "input",
            "kernel",
            "output",
            "strides",
            "padding",
            "batch_groups",
            "feature_groups",
            "type",
        ],
        window::convolution,
    ),
    known("dot", &["type"], linear::dot),
    known(
        "dot_general",
        &["lhs_batch", "rhs_batch", "lhs_contracting", "rhs_contracting", "type"],
        linear::dot_general,
    ),
    known("dynamic_slice", &[], index::dynamic_slice),
    known("dynamic_update_slice", &["indices"], index::dynamic_update_slice),
    known("eigh", &[], linear::eigh),
    known("fft", &["type"], shape::fft),
    known(
        "gather",
        &[
            "offset",
            "collapsed",
            "operand_batch",
            "indices_batch",
            "start_index_map",
            "index_vector",
            "slice_sizes",
        ],
        index::gather,
    ),
    known("householder_product", &[], linear::householder_product),
    known("iota", &[], shape::iota),
    known("pad", &[], shape::pad),
    known("partial_reduce", &[], linear::approx_top_k),
    known("qr", &[], linear::qr),
    known("reduce", &[], shape::reduce),
    known("reduce_scatter", &[], collective::reduce_scatter),
    known("reduce_window", WINDOW, window::reduce_window),
    known("reshape", &[], shape::reshape),
    known("reverse", &[], shape::reverse),
    known("rng_bit_generator", &[], shape::rng_bit_generator),
    known(
        "scatter",
        &["window", "inserted", "operand_batch", "indices_batch", "index_vector", "reduces"],
        index::scatter,
    ),
    known("select_and_scatter", WINDOW, window::select_and_scatter),
    known("slice", &[], shape::slice),
    known("sort", &[], shape::sort),
    known("top_k", &[], linear::top_k),
    known("transpose", &[], shape::transpose),
    known("triangular_solve", &["side", "transpose"], linear::triangular_solve),
];

/// Why a program can have no elements of a type: StableHLO has no `u1`, and its `i1` are truth values.
pub(super) fn unknown_elements(dtype: DType) -> Option<String> {
    matches!(dtype, DType::S1 | DType::U1)
        .then(|| format!("StableHLO has no elements of type `{dtype}`"))
}

/// The operation `name`.
pub(super) fn make(name: &str, operands: &[Operand<'_>], attributes: &Attributes) -> Result<Made> {
    let input = Input { operands, attributes, asked: Default::default() };
    if let Some(made) = elementwise::make(name, &input) {
        no_attributes(name, &[], attributes)?;
        let made = made?;
        return input.no_more().map(|()| made);
    }
    let Some(known) = KNOWN.iter().find(|known| known.name == name) else {
        let names: Vec<_> =
            KNOWN.iter().map(|known| known.name).chain(elementwise::names()).collect();
        let help = match nearest(name, &names) {
            Some(other) => format!("did you mean `{other}`?"),
            None => "write its rule behind it: `op(x, w) : (i,k),(k,j)->(i,j)`".into(),
        };
        return Err((At::Call, format!("unknown operation `{name}`"), help));
    };
    no_attributes(name, known.attributes, attributes)?;
    let made = (known.make)(&input)?;
    input.no_more().map(|()| made)
}

/// That nothing is told under a name but what is known.
fn no_attributes(op: &str, known: &[&'static str], attributes: &Attributes) -> Result<()> {
    let mut names = attributes.named.iter().map(|(name, _)| name);
    let Some(name) = names.find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let help = match (nearest(name, known), known) {
        (Some(other), _) => format!("did you mean `{other}`?"),
        (None, []) => String::new(),
        (None, _) => format!("it has {}", known.join(", ")),
    };
    Err((At::Named(name.clone()), format!("`{op}` has no attribute `{name}`"), help))
}

/// The operation of a rule that the program says: the sizes of the results are what their factors make.
pub(super) fn custom(rule: OpShardingRule, operands: &[Operand<'_>]) -> Result<Made> {
    use super::problem::Place;
    let shapes: Vec<_> = operands.iter().map(|operand| operand.dims).collect();
    let sized = rule.with_operands(&shapes).map_err(|error| {
        let problem = &error.problems()[0];
        let at = match problem.place {
            Place::Tensor { result: false, at } | Place::TensorDim { result: false, at, .. } => {
                At::Operand(at)
            }
            _ => At::Call,
        };
        (at, problem.message.clone(), problem.help.clone())
    })?;
    let dtype = operands.first().map_or(DType::F32, |operand| operand.dtype);
    let size = |mapping: &super::rule::TensorMapping, dim| {
        let factors = mapping.dim(dim).filter_map(|factor| sized.factor_size(factor));
        factors.fold(1, usize::saturating_mul)
    };
    let results = sized
        .results()
        .iter()
        .map(|mapping| ((0..mapping.rank()).map(|dim| size(mapping, dim)).collect(), dtype))
        .collect();
    Ok(Made { kind: OpKind::Other, rule: Some(sized), results, stablehlo: "" })
}
