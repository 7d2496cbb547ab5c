use super::{FactorKind, OpShardingRule, RuleBuilder};
use alloc::vec::Vec;

/// A factor of an operation with up to two operands and one result. Rules that both const evaluation and programs compute are
/// functions from a number to the factor with that number, so that neither needs memory for all factors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuleFactor {
    /// The dimension of each operand that has the factor.
    pub(crate) operands: [Option<usize>; 2],
    /// The dimension of the result that has it.
    pub(crate) result: Option<usize>,
    pub(crate) size: usize,
    pub(crate) kind: FactorKind,
    /// Whether nothing propagates along it.
    pub(crate) blocked: bool,
}

impl RuleFactor {
    /// A factor that no tensor has, which rules leave out.
    pub(crate) const NONE: Self = Self::new([None, None], None, 1, FactorKind::PassThrough);

    pub(crate) const fn new(
        operands: [Option<usize>; 2],
        result: Option<usize>,
        size: usize,
        kind: FactorKind,
    ) -> Self {
        Self { operands, result, size, kind, blocked: false }
    }

    /// A factor that is the same dimension of all tensors.
    pub(crate) const fn shared(dim: usize, size: usize, kind: FactorKind) -> Self {
        Self::new([Some(dim), Some(dim)], Some(dim), size, kind)
    }

    /// The dimension of a tensor that has the factor: operand 0 or 1, or tensor 2, the result.
    pub(crate) const fn dim(&self, tensor: usize) -> Option<usize> {
        if tensor < 2 { self.operands[tensor] } else { self.result }
    }
}

impl OpShardingRule {
    /// The rule with the factors that `factor` returns, in order, up to the first `None`, for operands and results of these ranks.
    /// Each operand is listed with its rank and with the operand of the factors to which it corresponds, if any.
    pub(crate) fn of_factors(
        operands: &[(usize, Option<usize>)],
        results: &[usize],
        mut factor: impl FnMut(usize) -> Option<RuleFactor>,
    ) -> Self {
        let ranks: Vec<_> = operands.iter().map(|(rank, _)| *rank).collect();
        let mut rule = RuleBuilder::new(&ranks, results);
        for factor in (0..).map_while(&mut factor) {
            let dims = operands.iter().map(|(_, of)| of.and_then(|of| factor.operands[of]));
            let dims: Vec<_> = dims.collect();
            let made = alloc::vec![factor.result; results.len()];
            match factor.blocked {
                true => rule.blocked_factor(&dims, &made, factor.size, factor.kind),
                false => rule.factor(&dims, &made, factor.size, factor.kind),
            };
        }
        rule.build()
    }
}
