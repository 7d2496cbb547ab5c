use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough};

/// `all_gather` and `reduce_scatter`: the dimension whose size changes is what they work on.
pub fn collective_dim(dims: &[usize], result: &[usize]) -> OpShardingRule {
    let changed = (0..dims.len()).filter(|&dim| dims[dim] != result[dim]);
    of_dims(dims, result, changed)
}

/// Splits dimension `split` and joins the parts along `concat`.
pub fn all_to_all(dims: &[usize], result: &[usize], split: usize, concat: usize) -> OpShardingRule {
    let second = (concat != split).then_some(concat);
    of_dims(dims, result, core::iter::once(split).chain(second))
}

fn of_dims(
    dims: &[usize],
    result: &[usize],
    collective: impl Iterator<Item = usize> + Clone,
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        if !collective.clone().any(|other| other == dim) {
            rule.shared(dim, size, PassThrough, false);
        }
    }
    for dim in collective {
        rule.factor(&[Some(dim)], &[None], dims[dim], NeedReplication);
        rule.factor(&[None], &[Some(dim)], result[dim], NeedReplication);
    }
    rule.build()
}
