//! Sharding rules: the dimensions of the operands and results of an operation that correspond to each other.

use super::problem::{Location, Problem, ShardingError};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

mod build;
mod check;
mod factor;

pub use build::RuleBuilder;
pub(crate) use factor::RuleFactor;

/// What a sharded factor requires of the devices.
///
/// ```
/// use tensor_layout::sharding::{FactorKind, OpShardingRule};
/// let matmul: OpShardingRule = "(i,k),(k,j)->(i,j) {i=8, j=8, k=8} reduction={k}".parse()?;
/// assert_eq!(matmul.factor_kind(2), FactorKind::Reduction);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FactorKind {
    /// Each device computes its part, without communication.
    #[default]
    PassThrough,
    /// The parts are reduced over the devices; no result has the factor.
    Reduction,
    /// The factor cannot be sharded, because each device needs all of it.
    NeedReplication,
    /// Devices exchange the edges of their parts.
    Permutation,
}

impl FactorKind {
    /// The kinds that Shardy's text lists, in its order.
    pub const SPECIAL: [Self; 3] = [Self::Reduction, Self::NeedReplication, Self::Permutation];

    /// The name of the list of factors of this kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PassThrough => "pass_through",
            Self::Reduction => "reduction",
            Self::NeedReplication => "need_replication",
            Self::Permutation => "permutation",
        }
    }
}

/// The factors of the dimensions of one tensor of a rule: an operand or a result.
///
/// ```
/// use tensor_layout::sharding::{OpShardingRule, TensorMapping};
/// let split: OpShardingRule = "<([ij, k])->([i, j, k]) {i=2, j=4, k=32}>".parse()?;
/// assert_eq!(split.operands()[0], TensorMapping::new([&[0, 1][..], &[2]]));
/// assert!(split.operands()[0].dim(0).eq([0, 1]));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TensorMapping {
    factors: Vec<usize>,
    /// For each dimension, the end of its factors.
    ends: Vec<usize>,
}

impl TensorMapping {
    /// A tensor with these factors for each dimension, major to minor.
    pub fn new<D: AsRef<[usize]>>(dims: impl IntoIterator<Item = D>) -> Self {
        let mut mapping = Self::default();
        for dim in dims {
            mapping.factors.extend_from_slice(dim.as_ref());
            mapping.ends.push(mapping.factors.len());
        }
        mapping
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.ends.len()
    }

    /// The factors of dimension `dim`, major to minor.
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim(&self, dim: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        let start = if dim == 0 { 0 } else { self.ends[dim - 1] };
        self.factors[start..self.ends[dim]].iter().copied()
    }

    /// The factors of all dimensions.
    pub fn factors(&self) -> impl Iterator<Item = usize> {
        self.factors.iter().copied()
    }
}

/// The size and the kind of a factor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Factor {
    /// The size; [`OpShardingRule::UNKNOWN`] if it must be computed from the shapes.
    pub(crate) size: usize,
    pub(crate) kind: FactorKind,
    pub(crate) blocked: bool,
}

/// The sharding rule of an operation: the factors that the dimensions of its operands and results have in common, which are split
/// alike. It reads Shardy's text, `<([ij, k])->([i, j, k]) {i=2, j=4, k=32}>`, and the shorter `(i j) k -> i j k, i=2, j=4` and
/// `(i,k),(k,j)->(i,j)`; it prints the first form.
///
/// ```
/// use tensor_layout::sharding::OpShardingRule;
/// let matmul: OpShardingRule = "(i,k),(k,j)->(i,j) reduction={k}".parse().unwrap();
/// let matmul = matmul.with_shapes(&[&[64, 32], &[32, 128]], &[&[64, 128]]).unwrap();
/// assert_eq!(matmul.to_string(), "<([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>");
/// ```
///
/// If a rule does not have the size of a factor, [`OpShardingRule::with_shapes`] computes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpShardingRule {
    pub(crate) operands: Vec<TensorMapping>,
    pub(crate) results: Vec<TensorMapping>,
    pub(crate) factors: Vec<Factor>,
    pub(crate) custom: bool,
}

impl OpShardingRule {
    /// The size of a factor that is not known yet.
    pub(crate) const UNKNOWN: usize = usize::MAX;
    /// A factor whose size is not known yet.
    pub(crate) const UNSIZED: Factor =
        Factor { size: Self::UNKNOWN, kind: FactorKind::PassThrough, blocked: false };

    /// The rule of an operation on tensors of size `dims` that operates on each element separately.
    pub fn elementwise(operands: usize, results: usize, dims: &[usize]) -> Self {
        let mapping = TensorMapping::new((0..dims.len()).map(|dim| [dim]));
        let factor = |&size| Factor { size, kind: FactorKind::PassThrough, blocked: false };
        Self {
            operands: alloc::vec![mapping.clone(); operands],
            results: alloc::vec![mapping; results],
            factors: dims.iter().map(factor).collect(),
            custom: false,
        }
    }

    /// The operands.
    pub fn operands(&self) -> &[TensorMapping] {
        &self.operands
    }

    /// The results.
    pub fn results(&self) -> &[TensorMapping] {
        &self.results
    }

    /// The number of factors.
    pub fn factor_count(&self) -> usize {
        self.factors.len()
    }

    /// The size of a factor; `None` if it must be computed from the shapes.
    ///
    /// # Panics
    /// If there is no such factor.
    pub fn factor_size(&self, factor: usize) -> Option<usize> {
        Some(self.factors[factor].size).filter(|&size| size != Self::UNKNOWN)
    }

    /// The kind of a factor.
    ///
    /// # Panics
    /// If there is no such factor.
    pub fn factor_kind(&self, factor: usize) -> FactorKind {
        self.factors[factor].kind
    }

    /// Whether nothing propagates along the factor.
    ///
    /// # Panics
    /// If there is no such factor.
    pub fn is_blocked(&self, factor: usize) -> bool {
        self.factors[factor].blocked
    }

    /// Operands, then results.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = &TensorMapping> {
        self.operands.iter().chain(&self.results)
    }

    /// The product of the factors of a dimension; `None` if the size of one of them is unknown.
    fn dim_size(&self, mapping: &TensorMapping, dim: usize) -> Option<usize> {
        mapping
            .dim(dim)
            .try_fold(1, |size: usize, factor| Some(size.saturating_mul(self.factor_size(factor)?)))
    }

    /// The rule with the size of each factor, for tensors of these sizes.
    ///
    /// A factor that is the only one of a dimension has the size of that dimension, or of the smallest such dimension if there are
    /// several.
    ///
    /// # Errors
    /// If the numbers of tensors or their ranks differ, if a size cannot be computed, or if a size is not the product of the
    /// factors of its dimension.
    pub fn with_shapes(
        mut self,
        operands: &[&[usize]],
        results: &[&[usize]],
    ) -> Result<Self, ShardingError> {
        let mut problems = self.count_problems(operands, results);
        if problems.is_empty() {
            problems = self.infer(operands, results);
        }
        if problems.is_empty() {
            problems = self.size_problems(operands, results);
        }
        ShardingError::unless(problems, self)
    }

    /// [`OpShardingRule::with_shapes`] if only the operands are known; the sizes of the results are computed.
    ///
    /// # Errors
    /// As for [`OpShardingRule::with_shapes`].
    pub fn with_operands(mut self, operands: &[&[usize]]) -> Result<Self, ShardingError> {
        let mut problems = self.count_problems_of(false, operands);
        if problems.is_empty() {
            problems = self.infer(operands, &[]);
        }
        if problems.is_empty() {
            problems = self.size_problems(operands, &[]);
        }
        ShardingError::unless(problems, self)
    }

    /// Sets the sizes of factors that can be computed from the shapes.
    fn infer(&mut self, operands: &[&[usize]], results: &[&[usize]]) -> Vec<Problem> {
        let known: Vec<_> =
            self.factors.iter().map(|factor| factor.size != Self::UNKNOWN).collect();
        let shapes = || operands.iter().chain(results);
        let mut factors = core::mem::take(&mut self.factors);
        for (mapping, dims) in self.tensors().zip(shapes()) {
            for (dim, &size) in dims.iter().enumerate() {
                let mut of_dim = mapping.dim(dim);
                if let (Some(factor), None) = (of_dim.next(), of_dim.next())
                    && !known[factor]
                {
                    factors[factor].size = factors[factor].size.min(size);
                }
            }
        }
        // If a single factor of a dimension is unknown, its size is the size of the dimension divided by the other factors.
        for (mapping, dims) in self.tensors().zip(shapes()) {
            for (dim, &size) in dims.iter().enumerate() {
                let unknown = |&factor: &usize| factors[factor].size == Self::UNKNOWN;
                let mut missing = mapping.dim(dim).filter(unknown);
                if let (Some(factor), None) = (missing.next(), missing.next()) {
                    let rest: usize = mapping
                        .dim(dim)
                        .filter(|&other| other != factor)
                        .map(|other| factors[other].size)
                        .fold(1, usize::saturating_mul);
                    if rest > 0 && size.is_multiple_of(rest) {
                        factors[factor].size = size / rest;
                    }
                }
            }
        }
        self.factors = factors;
        (0..self.factors.len())
            .filter(|&factor| self.factors[factor].size == Self::UNKNOWN)
            .map(|factor| {
                let name = symbol(factor);
                let message = format!("the size of factor {name} does not follow from the shapes");
                Problem::new(Location::FactorSize(factor), message)
                    .help(format!("write it: `{name}=..`"))
            })
            .collect()
    }
}

/// The name of a factor in Shardy's text: `i` to `z`, then `z_1`, `z_2` and so on.
///
/// ```
/// use tensor_layout::sharding::symbol;
/// assert_eq!((symbol(0), symbol(17), symbol(18)), ("i".into(), "z".into(), "z_1".into()));
/// ```
pub fn symbol(factor: usize) -> String {
    match u8::try_from(factor) {
        Ok(small @ 0..18) => char::from(b'i' + small).to_string(),
        _ => format!("z_{}", factor - 17),
    }
}

impl fmt::Display for OpShardingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        for (tensors, open) in [(&self.operands, "("), (&self.results, ")->(")] {
            f.write_str(open)?;
            for (i, tensor) in tensors.iter().enumerate() {
                f.write_str(if i > 0 { ", [" } else { "[" })?;
                for dim in 0..tensor.rank() {
                    f.write_str(if dim > 0 { ", " } else { "" })?;
                    tensor.dim(dim).try_for_each(|factor| f.write_str(&symbol(factor)))?;
                }
                f.write_str("]")?;
            }
        }
        f.write_str(")")?;
        if self.factors.iter().any(|factor| factor.size != Self::UNKNOWN) {
            f.write_str(" {")?;
            for factor in 0..self.factors.len() {
                let comma = if factor > 0 { ", " } else { "" };
                write!(f, "{comma}{}=", symbol(factor))?;
                match self.factor_size(factor) {
                    Some(size) => write!(f, "{size}")?,
                    None => f.write_str("?")?,
                }
            }
            f.write_str("}")?;
        }
        let lists = FactorKind::SPECIAL.map(|kind| (kind.name(), Some(kind)));
        for (name, kind) in lists.into_iter().chain([("blocked_propagation", None)]) {
            let belongs = |&factor: &usize| match kind {
                Some(kind) => self.factors[factor].kind == kind,
                None => self.factors[factor].blocked,
            };
            let names: Vec<_> = (0..self.factors.len()).filter(belongs).map(symbol).collect();
            if !names.is_empty() {
                write!(f, " {name}={{{}}}", names.join(", "))?;
            }
        }
        f.write_str(if self.custom { ", custom>" } else { ">" })
    }
}
