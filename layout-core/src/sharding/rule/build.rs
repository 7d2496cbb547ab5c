use super::{Factor, FactorKind, OpShardingRule, TensorMapping};
use alloc::vec;
use alloc::vec::Vec;

/// Builds the rule of an operation factor by factor.
///
/// ```
/// use tensor_layout::sharding::{FactorKind, RuleBuilder};
/// let mut matmul = RuleBuilder::new(&[2, 2], &[2]);
/// matmul.factor(&[Some(0), None], &[Some(0)], 64, FactorKind::PassThrough);
/// matmul.factor(&[None, Some(1)], &[Some(1)], 128, FactorKind::PassThrough);
/// matmul.factor(&[Some(1), Some(0)], &[None], 32, FactorKind::Reduction);
/// assert_eq!(
///     matmul.build().to_string(),
///     "<([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct RuleBuilder {
    /// The operands, then the results: the factors of each dimension.
    tensors: Vec<Vec<Vec<usize>>>,
    operands: usize,
    factors: Vec<Factor>,
}

impl RuleBuilder {
    /// An operation with operands and results of these ranks.
    pub fn new(operands: &[usize], results: &[usize]) -> Self {
        let ranks = operands.iter().chain(results);
        let tensors = ranks.map(|&rank| vec![Vec::new(); rank]).collect();
        Self { tensors, operands: operands.len(), factors: Vec::new() }
    }

    /// Adds a factor as the next, more minor part of some dimensions. `operands` and `results` have an entry for each tensor: the
    /// dimension that has the factor, or `None`. A factor of size 1 is not added to a dimension that already has a factor, and a
    /// factor that is added to no dimension is left out.
    ///
    /// # Panics
    /// If there are fewer entries than tensors, or if a dimension does not exist.
    pub fn factor(
        &mut self,
        operands: &[Option<usize>],
        results: &[Option<usize>],
        size: usize,
        kind: FactorKind,
    ) -> &mut Self {
        self.add(operands, results, Factor { size, kind, blocked: false })
    }

    /// [`RuleBuilder::factor`] for a factor along which nothing propagates.
    pub fn blocked_factor(
        &mut self,
        operands: &[Option<usize>],
        results: &[Option<usize>],
        size: usize,
        kind: FactorKind,
    ) -> &mut Self {
        self.add(operands, results, Factor { size, kind, blocked: true })
    }

    /// Adds a factor that is the same dimension of all tensors except scalars.
    pub(crate) fn shared(&mut self, dim: usize, size: usize, kind: FactorKind, blocked: bool) {
        let dims: Vec<_> =
            self.tensors.iter().map(|tensor| (!tensor.is_empty()).then_some(dim)).collect();
        let (operands, results) = dims.split_at(self.operands);
        self.add(operands, results, Factor { size, kind, blocked });
    }

    /// Adds a factor that is a dimension of some operands and results, given as pairs of a tensor and its dimension.
    pub(crate) fn of(
        &mut self,
        operands: &[(usize, usize)],
        results: &[(usize, usize)],
        size: usize,
        kind: FactorKind,
        blocked: bool,
    ) {
        let mut dims = vec![None; self.tensors.len()];
        for &(operand, dim) in operands {
            dims[operand] = Some(dim);
        }
        for &(result, dim) in results {
            dims[self.operands + result] = Some(dim);
        }
        let (operands, results) = dims.split_at(self.operands);
        self.add(operands, results, Factor { size, kind, blocked });
    }

    fn add(
        &mut self,
        operands: &[Option<usize>],
        results: &[Option<usize>],
        factor: Factor,
    ) -> &mut Self {
        assert!(operands.len() + results.len() == self.tensors.len());
        let index = self.factors.len();
        let mut used = false;
        for (tensor, dim) in self.tensors.iter_mut().zip(operands.iter().chain(results)) {
            if let Some(dim) = dim
                && (factor.size != 1 || tensor[*dim].is_empty())
            {
                tensor[*dim].push(index);
                used = true;
            }
        }
        // Factors that no tensor has are left out of the rule.
        if used {
            self.factors.push(factor);
        }
        self
    }

    /// The rule. A dimension without factors gets one of size 1.
    pub fn build(&self) -> OpShardingRule {
        let Self { mut tensors, operands, mut factors } = self.clone();
        for dim in tensors.iter_mut().flatten().filter(|dim| dim.is_empty()) {
            dim.push(factors.len());
            factors.push(Factor { size: 1, kind: FactorKind::PassThrough, blocked: false });
        }
        let mut operands_and_results = tensors.iter().map(TensorMapping::new);
        let operands = operands_and_results.by_ref().take(operands).collect();
        let results = operands_and_results.collect();
        OpShardingRule { operands, results, factors, custom: false }
    }
}
